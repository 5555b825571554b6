// Transcripts, computed from the lines and the times of a call: the lines are those of the scenario or the fixture, or
// else a generated conversation as long as the talk.
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { USUAL_END } from '../../lifecycles/call.ts';
import type { AgentOnCall, Row, SpokenTurn, TranscriptLine } from '../../model.ts';
import { conversation, fill } from './conversations.ts';

/** The speed of speech, and the shortest pause after a line. */
const CHARACTERS_PER_SECOND = 15;
const PAUSE_MS = 600;

const spokenIn = (text: string): number => (text.length / CHARACTERS_PER_SECOND) * 1000;

/** The transcript of a call of a world with this seed. `script` has the lines that a scenario or a fixture gives. */
export function transcriptOf(
  call: Row<'calls'>,
  script: readonly TranscriptLine[],
  seed: number,
): Schemas['CallTranscript'] {
  const structured_transcript = turnsOf(call, script, seed);
  return {
    call_id: call.id,
    transcript: structured_transcript.map(({ role, text }) => `${role}: ${text}`).join('\n'),
    structured_transcript,
    transcript_provider: 'ringback',
  };
}

function turnsOf(call: Row<'calls'>, script: readonly TranscriptLine[], seed: number): Schemas['TranscriptTurn'][] {
  const { answered_at, agent, hung_up, turns: spoken } = call.private;
  const began = answered_at ?? call.started_at;
  if (call.ended_at === null) return [];
  if (spoken) return spoken.map((turn) => serializeTurn(turn, agent));
  const [from, until] = [Date.parse(began), Date.parse(call.ended_at)];
  const facts = {
    inbound: call.direction === 'inbound',
    agent,
    talked: until - from,
    ended: !hung_up && call.disconnection_reason === USUAL_END,
    // Worlds of one fixture share its calls, and what was said on them.
    drawKey: [seed, call.id].join('\0'),
  };
  const lines = script.length > 0 ? filled(script, agent) : conversation(facts, (text) => spokenIn(text) + PAUSE_MS);
  const pause = pauseBetween(lines, until - from);
  const turns: Schemas['TranscriptTurn'][] = [];
  let instant = from;
  for (const { role, text, interrupted } of lines) {
    if (instant >= until) break;
    const end = instant + spokenIn(text);
    turns.push({
      role,
      text,
      timestamp: timestamp(Math.floor(instant)),
      interrupted: interrupted || end > until,
      language: agent?.language ?? 'en-US',
    });
    instant = end + pause;
  }
  return turns;
}

/** What was said on a web call, as a transcript shows it. */
export const serializeTurn = ({ role, text, timestamp: at }: SpokenTurn, agent: AgentOnCall | null) => ({
  role,
  text,
  timestamp: at,
  interrupted: false,
  language: agent?.language ?? 'en-US',
});

/** An agent with an empty greeting waits for the other party to speak. */
const filled = (script: readonly TranscriptLine[], agent: AgentOnCall | null): TranscriptLine[] =>
  script.map((line) => ({ ...line, text: fill(line.text, agent) })).filter(({ text }) => text !== '');

/** The pause after each line: lines that fit are spread over the talk; if they do not, the talk ends within a line. */
function pauseBetween(lines: readonly TranscriptLine[], talked: number): number {
  let spoken = 0;
  let begun = 0;
  for (const { text } of lines) {
    if (spoken + begun * PAUSE_MS >= talked) break;
    spoken += spokenIn(text);
    begun += 1;
  }
  const silence = talked - spoken;
  if (begun === lines.length && silence >= begun * PAUSE_MS) return silence / begun;
  const pauses = begun - 1;
  const endsBefore = silence - pauses * PAUSE_MS;
  return endsBefore < 0 || pauses === 0 ? PAUSE_MS : (silence + 1) / pauses;
}
