// Setting the time of the clock: `now` of `PUT /_sandbox/clock` (`interface.md` section 5).
import { describe, expect, it } from 'vitest';
import { clientOf, expectError, playing } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld } from '../support/webhooks.ts';
import { advance, afterStart, CLOCK, expectFields, MANUAL, nowOf, REAL, TO } from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const { sandbox: real } = useSandbox(REAL);

describe('setting now', () => {
  it('goes forward and runs the steps on the way, each at its own instant', async () => {
    const { client, world } = freshWorld(sandbox);
    const call = await client.call(TO, playing('answered;ring=3s;talk=10s'));
    expect((await client.put(CLOCK, { now: afterStart(5000) })).body.data).toEqual({
      mode: 'manual',
      speed: 0,
      now: afterStart(5000),
      pending: 1,
    });
    expect((await client.readCall(call)).status).toBe('IN_PROGRESS');
    await client.put(CLOCK, { now: afterStart(86_400_000) });
    expect((await client.readCall(call)).ended_at).toBe(afterStart(13_500));
    expect((await world.events()).map(({ created_at }) => created_at)).toEqual([
      afterStart(0),
      afterStart(13_500),
      afterStart(13_500),
    ]);
  });

  it('together with a mode sets the time first and then the mode', async () => {
    const { client } = freshWorld(sandbox);
    expect((await client.put(CLOCK, { now: afterStart(60_000), mode: 'instant' })).body.data).toMatchObject({
      mode: 'instant',
      now: afterStart(60_000),
    });
  });

  it('never goes backwards', async () => {
    const { client } = freshWorld(sandbox);
    await advance(client, { by: '1m' });
    for (const past of [afterStart(59_999), afterStart(0), '2020-01-01T00:00:00.000Z']) {
      expectFields(await client.put(CLOCK, { now: past }), 'now');
    }
    expect(await nowOf(client)).toBe(afterStart(60_000));
    expectError(await clientOf(real.url).put(CLOCK, { now: '2020-01-01T00:00:00.000Z' }), 400, 'validation_error');
  });

  it.each(['tomorrow', '', '2026-01-05', '15:00', 7])('rejects %j as a time', async (now) => {
    const { client } = freshWorld(sandbox);
    expectFields(await client.put(CLOCK, { now }), 'now');
  });

  it('rejects an unknown field', async () => {
    expectFields(await freshWorld(sandbox).client.put(CLOCK, { at: afterStart(1000) }), 'at');
  });
});
