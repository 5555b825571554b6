// Web calls: what happens to a call on which a browser talks to an agent in a room (assumption web_calls). It begins
// when the first participant joins the room, and ends when the last one leaves; what is said in between is its
// transcript.
import { assumed } from '../../assumptions/catalogue.ts';
import { timestamp } from '../../clock/clock.ts';
import { allocateId, create } from '../../engine/create.ts';
import { transition } from '../../engine/transition.ts';
import { callIsLive, callLifecycle, newCall } from '../../lifecycles/call.ts';
import type { Row, SpokenTurn } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { greetingOf, replyOf } from './conversations.ts';
import { onCall } from './place-call.ts';

type Call = Row<'calls'>;

/** How long a web call lasts that nobody ends, such as one whose server was killed. */
const LONGEST_MS = 3_600_000;
/** ANONYMOUS on a keypad: the number that phone networks show for a party without one. */
const ANONYMOUS_NUMBER = '+266696687';
/** The most that is said on one call. */
export const MAX_TURNS = 600;

/** The live call of a room; undefined if there is none. */
export function callIn(tx: Tx, room: string): Call | undefined {
  const id = tx.get('rooms', room)?.private.call_id;
  const call = id === undefined ? undefined : tx.get('calls', id);
  return call && callIsLive(call) ? call : undefined;
}

/**
 * The live call of a room that somebody joins, which begins if there is none yet; undefined for a room without an agent,
 * one that is gone, or if the world assumes that web calls are not recorded.
 */
export function joinCall(tx: Tx, room: string): Call | undefined {
  const found = tx.get('rooms', room);
  const agent = found && found.agent_id !== null ? tx.get('agents', found.agent_id) : undefined;
  if (!found || !agent || assumed(tx.state('assumptions'), 'web_calls') === 'none') return undefined;
  return callIn(tx, room) ?? beginCall(tx, found, agent);
}

function beginCall(tx: Tx, room: Row<'rooms'>, agent: Row<'agents'>): Call {
  const { id, rank } = allocateId(tx, 'calls');
  const placed = newCall({
    id,
    direction: 'inbound',
    from_number: ANONYMOUS_NUMBER,
    to_number: ANONYMOUS_NUMBER,
    started_at: timestamp(tx.at),
    phone_number_id: null,
    private: {
      organization_id: room.private.organization_id,
      rank,
      answered_at: null,
      agent: onCall(agent),
      job_id: null,
      job_contact_id: null,
      scenario: { name: 'answered', parameters: {} },
      script: [],
      turns: [],
    },
  });
  create(tx, callLifecycle, placed);
  tx.put('rooms', { ...room, private: { ...room.private, call_id: id } });
  const ringing = transition(tx, callLifecycle, placed, 'ring', {}) ?? placed;
  const answered = transition(tx, callLifecycle, ringing, 'answer', {}) ?? ringing;
  const subject = { table: 'calls', id } as const;
  // On an instant clock everything that is scheduled happens at once, and nobody could say a word.
  if (tx.state('clock').mode !== 'instant')
    tx.schedule({ type: 'fire', subject, trigger: 'complete', input: {} }, tx.at + LONGEST_MS);
  return say(tx, answered, [['agent', greetingOf(answered.private.agent)]]);
}

/** What somebody in the room says, and what the agent replies, which is added to the call; returns the new turns. */
export function speak(tx: Tx, call: Call, text: string): readonly SpokenTurn[] {
  const { agent, turns = [] } = call.private;
  const drawKey = [tx.world.seed, call.id].join('\0');
  const reply = replyOf(agent, text, drawKey, turns.length);
  const changed = say(tx, call, [
    ['user', text],
    ['agent', reply],
  ]);
  return changed.private.turns?.slice(turns.length) ?? [];
}

function say(tx: Tx, call: Call, lines: readonly (readonly [role: SpokenTurn['role'], text: string])[]): Call {
  const said = lines
    .filter(([, text]) => text !== '')
    .map(([role, text]) => ({ role, text, timestamp: timestamp(tx.at) }));
  const changed = { ...call, private: { ...call.private, turns: [...(call.private.turns ?? []), ...said] } };
  tx.put('calls', changed);
  return changed;
}

/** Ends the live call of a room that everybody has left; does nothing if there is none. */
export function leaveCall(tx: Tx, room: string): void {
  const call = callIn(tx, room);
  if (call) transition(tx, callLifecycle, call, 'complete', {});
}
