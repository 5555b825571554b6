// What waits for what among the deliveries about one record to one receiver.
import { describe, expect, it } from 'vitest';
import { OrderedGroups, type Place } from '../../src/webhooks/ordered-groups.ts';

/** Whether what comes before a place has ended by now. */
async function isFree({ earlier }: Place): Promise<boolean> {
  if (earlier === null) return true;
  const pending = Symbol('pending');
  // What has ended settles within a few ticks of promises.
  const later = Array.from({ length: 10 }).reduce<Promise<unknown>>(
    (tick) => tick.then(() => pending),
    Promise.resolve(),
  );
  return (await Promise.race([earlier, later])) !== pending;
}

describe('the deliveries of an ordered group', () => {
  it('do not wait for others of the same event', async () => {
    const groups = new OrderedGroups();
    const places = ['e1', 'e1', 'e1'].map((event) => groups.join('group', event));
    expect(await Promise.all(places.map(isFree))).toEqual([true, true, true]);
  });

  it('wait until all of the event before have ended', async () => {
    const groups = new OrderedGroups();
    const [first, second] = [groups.join('group', 'e1'), groups.join('group', 'e1')];
    const next = groups.join('group', 'e2');
    expect(await isFree(next)).toBe(false);
    first.leave();
    expect(await isFree(next)).toBe(false);
    second.leave();
    expect(await isFree(next)).toBe(true);
  });

  it('wait for the events before the last one too', async () => {
    const groups = new OrderedGroups();
    const [first, second, third] = [groups.join('group', 'e1'), groups.join('group', 'e2'), groups.join('group', 'e3')];
    // A delivery that is canceled ends before its turn.
    second.leave();
    expect(await isFree(third)).toBe(false);
    first.leave();
    expect(await isFree(third)).toBe(true);
  });

  it('wait for one that is left when others of its event have ended', async () => {
    const groups = new OrderedGroups();
    const [first, second] = [groups.join('group', 'e1'), groups.join('group', 'e1')];
    first.leave();
    const next = groups.join('group', 'e2');
    expect(await isFree(next)).toBe(false);
    second.leave();
    expect(await isFree(next)).toBe(true);
  });

  it('do not wait for those of another group', async () => {
    const groups = new OrderedGroups();
    groups.join('group', 'e1');
    expect(groups.join('other group', 'e2').earlier).toBeNull();
  });

  it('start over once all have ended, so that nothing is kept of them', () => {
    const groups = new OrderedGroups();
    for (const place of [groups.join('group', 'e1'), groups.join('group', 'e2')]) place.leave();
    expect(groups.join('group', 'e3').earlier).toBeNull();
  });
});
