// What was said on a call: it follows from the scenario's script and the call's own times, and is not stored. Only a
// script that can be edited or taken away while the server runs is kept with the call, which said what it said.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import type { Row } from '../model.ts';
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
export function transcriptOf(
  call: Row<'calls'>,
  script: Script,
  agent: Row<'agents'> | undefined,
): Schemas['Transcript'] {
  const from = Date.parse(call.private.answered_at ?? (call.started_at as string));
  const until = Date.parse(call.ended_at as string);
  const lines = script.map((line) => ({ ...line, text: spoken(line.text, agent) }));
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

/** `{greeting}` and `{business_name}` stand for what the agent on the call is configured to say. */
function spoken(text: string, agent: Row<'agents'> | undefined): string {
  return text
    .replaceAll('{greeting}', agent?.greeting ?? 'Hello.')
    .replaceAll('{business_name}', agent?.business_name ?? 'our office');
}
