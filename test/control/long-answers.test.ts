// A long answer of the control API is made in slices, between which requests are answered. The event loop is the test's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { writeControlResponse } from '../../src/control/response.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';

const ITEMS = 500;

/** What a client gets of an answer, and how many rounds of the event loop it took; a slice is up after ten pieces of work. */
async function answered(data: unknown, meta?: unknown) {
  const { loop, afterRequests } = watchedLoop();
  const turns = turnsOn(afterRequests, 0.1);
  const server = createServer((_, res) => void writeControlResponse(res, 200, { data, meta }, { turns, world: 'w' }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const body = await fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  server.close();
  return { body, rounds: loop.rounds };
}

const items = Array.from({ length: ITEMS }, (_, n) => ({ id: `item ${n}`, none: undefined, text: '"é'.repeat(400) }));

it.each([
  ['a list', items],
  ['an object with a list', { name: 'n', none: undefined, steps: items, now: null }],
  ['the tables of a snapshot', { name: 's', content: { calls: items, empty: [], messages: items.slice(0, 1) } }],
])('%s is written in slices, as the JSON that it is', async (_, data) => {
  const { body, rounds } = await answered(data, { total_results: ITEMS });
  expect(body).toBe(JSON.stringify({ data, meta: { total_results: ITEMS } }));
  expect(rounds).toBeGreaterThan(ITEMS / 15);
});

it('a short answer is written at once', async () => {
  const data = { name: 's', content: { calls: items.slice(0, 3) } };
  const { body, rounds } = await answered(data);
  expect(body).toBe(JSON.stringify({ data }));
  expect(rounds).toBe(0);
});
