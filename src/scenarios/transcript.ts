// Transcripts, computed from the scenario's script and the call's own times. A call only stores the script if it can be
// edited or deleted while the server runs.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import type { AgentOnCall, Row } from '../model.ts';
import type { WorldScenarios } from './library.ts';
import type { Scenario } from './scenario.ts';

type Script = Scenario['transcript'];

/** The speed of speech, and the pause between two lines. */
const CHARACTERS_PER_SECOND = 15;
const PAUSE_MS = 600;

/** The script that a call stores: that of any scenario but a bundled one. */
export function scriptToKeep({ bundled, transcript }: Scenario): Script | null {
  return bundled ? null : transcript;
}

/** The script that a call played. */
export function scriptOf({ private: { script, scenario } }: Row<'calls'>, scenarios: WorldScenarios): Script {
  const { transcript } =
    scenarios.bundled(scenario.name) ?? scenarios.get(scenario.name) ?? scenarios.defaultOf('call');
  return script ?? transcript;
}

/** The lines that fit into the call, spread over it; a line that the end of the call cuts short is `interrupted`. */
export function transcriptOf(call: Row<'calls'>, script: Script, agent: AgentOnCall | null): Schemas['CallTranscript'] {
  const structured_transcript = turnsOf(call, script, agent);
  return {
    call_id: call.id,
    transcript: structured_transcript.map(({ role, text }) => `${role}: ${text}`).join('\n'),
    structured_transcript,
    transcript_provider: 'ringback',
  };
}

function turnsOf(call: Row<'calls'>, script: Script, agent: AgentOnCall | null): Schemas['TranscriptTurn'][] {
  const began = call.private.answered_at ?? call.started_at;
  if (began === null || call.ended_at === null) return [];
  const [from, until] = [Date.parse(began), Date.parse(call.ended_at)];
  // An agent with an empty greeting waits for the other party to speak.
  const lines = script.map((line) => ({ ...line, text: spoken(line.text, agent) })).filter(({ text }) => text !== '');
  const lengthOf = (text: string): number => (text.length / CHARACTERS_PER_SECOND) * 1000 + PAUSE_MS;
  const naturalLength = lines.reduce((sum, { text }) => sum + lengthOf(text), 0);
  const stretch = Math.max(1, (until - from) / naturalLength);
  const turns: Schemas['TranscriptTurn'][] = [];
  let instant = from;
  for (const { role, text, interrupted } of lines) {
    if (instant >= until) break;
    const next = instant + lengthOf(text) * stretch;
    turns.push({
      role,
      text,
      timestamp: timestamp(Math.round(instant)),
      interrupted: interrupted || next - PAUSE_MS * stretch > until,
      language: agent?.language ?? 'en-US',
    });
    instant = next;
  }
  return turns;
}

/** Replaces `{greeting}` and `{business_name}` by the agent's configuration when the call was placed. */
function spoken(text: string, agent: AgentOnCall | null): string {
  const greeting = agent?.greeting ?? 'Hello, this is a test call. Do you have a minute?';
  const businessName = agent?.business_name ?? 'our office';
  return text.replace(/\{(greeting|business_name)\}/g, (_, name) => (name === 'greeting' ? greeting : businessName));
}
