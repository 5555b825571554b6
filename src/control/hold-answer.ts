// What a long answer holds from when it is made until its client has read it, which can take a minute: it is counted, so that
// clients who ask for much and do not read it cannot fill the memory.
import type { ServerResponse } from 'node:http';
import { ClientGone } from '../http/body.ts';
import { CONNECTION_BYTES } from '../http/connections.ts';
import { sizeOf, sizeOfText } from '../store/footprint.ts';
import type { ControlRequest, ControlResponse, Route } from './route.ts';
import { DEPTH, isLong, isPlain } from './write-long.ts';

/** Whether the answer of a route is refused where there is no room for it: it is long, and asking has no effect. */
export const mayBeRefused = ({ method, answer, readsMuch = false }: Route): boolean =>
  method === 'get' && (readsMuch || answer.shape === 'page' || answer.shape === 'journal');

/** Throws `rate_limited` if there is no room for the answer. */
export async function holdAnswer(
  route: Route,
  { sandbox: { budget, turns }, world }: Pick<ControlRequest, 'sandbox' | 'world'>,
  res: ServerResponse,
  { data, raw }: ControlResponse,
): Promise<void> {
  const text = typeof raw?.content === 'string' ? sizeOfText(raw.content) : 0;
  const bytes = isLong(data) ? await turns.workThrough(world, sizeInPieces(data, DEPTH)) : text;
  if (res.destroyed) throw new ClientGone();
  if (bytes <= CONNECTION_BYTES) return;
  const { connections } = budget.shares;
  if (!connections.takeFor(world, bytes, !mayBeRefused(route))) throw connections.refusal(connections.takenBy(world));
  res.once('close', () => connections.giveFor(world, bytes));
}

/** What a value takes, in a piece for each item of a list that is no deeper. */
function* sizeInPieces(value: unknown, depth: number): Generator<void, number> {
  if (typeof value !== 'object' || value === null || depth === 0) return sizeOf({ value });
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      bytes += sizeOf({ item });
      yield;
    }
    return bytes;
  }
  if (!isPlain(value)) return sizeOf(value);
  for (const field of Object.values(value)) bytes += yield* sizeInPieces(field, depth - 1);
  return bytes;
}
