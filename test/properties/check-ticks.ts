// The tick of a world is heard at each of its instants, once and in order.
import { expect } from 'vitest';
import type { ModelWorld } from './model.ts';
import type { RefusingReceiver } from './refusing-receiver.ts';

export const tickPath = ({ name }: ModelWorld): string => `/${name}/tick`;

/** To be called when nothing is on its way. */
export async function checkTicks(world: ModelWorld, { got }: RefusingReceiver): Promise<void> {
  await world.noteTicks();
  const heard = got.slice(world.arrivedBefore).filter(({ path }) => path === tickPath(world));
  const expected = world.ticked.map((at) => new Date(at).toISOString());
  expect(
    heard.map(({ body }) => JSON.parse(body).now),
    `the ticks of ${world.name}`,
  ).toEqual(expected);
}
