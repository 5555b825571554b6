// What was said on a call: it follows from the scenario's script and the call's own times, and is not stored. Only a
// script that can be edited or taken away while the server runs is kept with the call, which said what it said.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import type { AgentOnCall, Row } from '../model.ts';
import type { WorldScenarios } from './library.ts';
import type { Scenario } from './scenario.ts';

type Script = Scenario['transcript'];

/** How fast people speak, and how long they wait for one another. */
const CHARACTERS_PER_SECOND = 15;
const PAUSE_MS = 600;

/** The script that a call is to keep: that of any scenario but a bundled one. */
export function scriptToKeep({ bundled, transcript }: Scenario): Script | null {
  return bundled ? null : transcript;
}

/** The script by which a call was played. */
export function scriptOf({ private: { script, scenario } }: Row<'calls'>, scenarios: WorldScenarios): Script {
  const { transcript } =
    scenarios.bundled(scenario.name) ?? scenarios.get(scenario.name) ?? scenarios.defaultOf('call');
  return script ?? transcript;
}

/** The lines that fit into the talk, spread over it; one that the end of the call cut short is `interrupted`. */
export function transcriptOf(call: Row<'calls'>, script: Script, agent: AgentOnCall | null): Schemas['Transcript'] {
  const from = Date.parse(call.private.answered_at ?? (call.started_at as string));
  const until = Date.parse(call.ended_at as string);
  // An agent without a greeting waits for the other side.
  const lines = script.map((line) => ({ ...line, text: spoken(line.text, agent) })).filter(({ text }) => text !== '');
  const lengthOf = (text: string): number => (text.length / CHARACTERS_PER_SECOND) * 1000 + PAUSE_MS;
  const natural = lines.reduce((sum, { text }) => sum + lengthOf(text), 0);
  const stretch = Math.max(1, (until - from) / natural);
  const structured_transcript: Schemas['TranscriptTurn'][] = [];
  let instant = from;
  for (const { role, text, interrupted } of lines) {
    if (instant >= until) break;
    const next = instant + lengthOf(text) * stretch;
    structured_transcript.push({
      role,
      text,
      timestamp: timestamp(Math.round(instant)),
      interrupted: interrupted || next - PAUSE_MS * stretch > until,
      language: agent?.language ?? 'en-US',
    });
    instant = next;
  }
  return {
    call_id: call.id,
    transcript: structured_transcript.map(({ role, text }) => `${role}: ${text}`).join('\n'),
    structured_transcript,
    transcript_provider: 'ringback',
  };
}

/** `{greeting}` and `{business_name}` stand for what the agent was configured to say when the call was placed. */
function spoken(text: string, agent: AgentOnCall | null): string {
  const said: Readonly<Record<string, string>> = {
    greeting: agent?.greeting ?? 'Hello, this is a test call. Do you have a minute?',
    business_name: agent?.business_name ?? 'our office',
  };
  return text.replace(/\{(greeting|business_name)\}/g, (_, name: string) => said[name] as string);
}
