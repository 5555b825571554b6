// The building blocks of generated conversations in one language. `{greeting}`, `{business_name}` and `{agent_name}`
// stand for the agent's own; `{day}` and `{time}` are drawn for each exchange.

/** What the person says, and what the agent answers. */
export type Exchange = readonly [user: string, agent: string];

export interface Phrases {
  /** What a person says who picks up; an agent who picks up says its greeting. */
  readonly hello: string;
  /** For calls without an agent, and what an agent has not set. */
  readonly greeting: string;
  readonly business_name: string;
  readonly agent_name: string;
  /** What the call is about, by who called. */
  readonly outbound: readonly Exchange[];
  readonly inbound: readonly Exchange[];
  readonly exchanges: readonly Exchange[];
  readonly closings: readonly Exchange[];
  readonly days: readonly string[];
  readonly times: readonly string[];
}
