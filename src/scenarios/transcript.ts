// What was said on a call: it follows from the scenario's script and the call's own times, and is not stored.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import type { Row } from '../model.ts';
import type { Scenario } from './scenario.ts';

/** How fast people speak, and how long they wait for one another. */
const CHARACTERS_PER_SECOND = 15;
const PAUSE_MS = 600;

/** The lines that fit into the talk, spread over it; one that the end of the call cut short is `interrupted`. */
export function transcriptOf(
  call: Row<'calls'>,
  script: Scenario['transcript'],
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
