import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';
import { subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';
import { dataOf, keep, useWorlds } from './setup.ts';

const { sandbox, client, inWorld } = useWorlds();

describe('the routes of snapshots', () => {
  it('show what a snapshot has, without secrets', async () => {
    const by = inWorld('shown');
    const [own] = await subscribe(by, 'http://127.0.0.1:9/hook?token=hunter2', 'new_call');
    await by.put(`/_sandbox/webhook-subscriptions/${own}`, { signing_secret: 'hunter2' });
    await by.put('/_sandbox/clock/tick', { every: '1m', url: 'http://127.0.0.1:9/tick?token=hunter2' });
    await by.post('/v1/client-tokens', {}, { 'Idempotency-Key': '5b7a2a0e-6d1c-4b6e-9a55-0d8c3f9f2f12' });
    const [source] = await dataOf(by, '/_sandbox/lead-sources');
    const rotated = (await by.post(`/_sandbox/lead-sources/${source.id}/rotate`)).body.data;
    await by.call('+12125550100');
    await keep(by, 'seen');
    const [listed] = await dataOf(by, '/_sandbox/snapshots');
    expect(listed).toEqual({
      name: 'seen',
      created_at: START,
      clock: 'manual',
      records: expect.any(Number),
      tasks: expect.any(Number),
      entries: expect.any(Number),
      bytes: expect.any(Number),
    });
    const shown = await by.get('/_sandbox/snapshots/seen');
    expect(shown.body.data).toMatchObject(listed);
    expect(shown.body.data.content.calls).toHaveLength(1);
    expect(shown.body.data.content.lead_sources[0].source_secret).toBe('[redacted]');
    for (const secret of ['hunter2', rotated.source_secret, rotated.url_token, '"private"', '"hash"']) {
      expect(shown.text).not.toContain(secret);
    }
  });

  it('refuse a name that is taken or malformed, one that does not exist, and more than 100', async () => {
    const by = inWorld('refused');
    await keep(by, 'base');
    expectError(await by.post('/_sandbox/snapshots', { name: 'base' }), 409, 'conflict');
    for (const name of ['', 'a b', 'a/b', 'x'.repeat(65), 'ä']) {
      const answer = await by.post('/_sandbox/snapshots', { name });
      expect([answer.status, answer.body.error.fields?.name], name).toEqual([400, expect.stringContaining('1 to 64')]);
    }
    const unknown = await by.post('/_sandbox/snapshots/bsae/restore');
    expectError(unknown, 404, 'not_found');
    expect(unknown.body.error.message).toContain('did you mean base?');
    expectError(await by.get('/_sandbox/snapshots/other'), 404, 'not_found');
    expectError(await by.delete('/_sandbox/snapshots/other'), 404, 'not_found');
    expect((await by.delete('/_sandbox/snapshots/base')).status).toBe(204);
    expectError(await by.post('/_sandbox/snapshots/base/restore'), 404, 'not_found');
    for (let nth = 1; nth <= 100; nth++)
      expect((await by.post('/_sandbox/snapshots')).body.data.name).toBe(`snapshot-${nth}`);
    const full = await by.post('/_sandbox/snapshots');
    expectError(full, 409, 'conflict');
    expect(full.body.error.resolution_hint, 'a reset keeps snapshots').not.toContain('reset');
  });

  it('keep to the memory for records: 429, and nothing is kept', async () => {
    const own = await createSandbox({ clock: 'manual', memory: '64mb' });
    const by = clientOf(own.url, 'svc_test_full');
    for (let nth = 0; nth < 30; nth++) {
      await fetch(`${own.url}/_sandbox/inbox/a?world=full`, { method: 'POST', body: 'x'.repeat(200_000) });
      if (nth === 0) await by.get('/v1/me');
    }
    let answer = await by.post('/_sandbox/snapshots');
    let made = 0;
    for (; answer.status === 201; made++) answer = await by.post('/_sandbox/snapshots');
    expectError(answer, 429, 'rate_limited');
    expect(made).toBeGreaterThan(0);
    expect((await dataOf(by, '/_sandbox/snapshots')).length).toBe(made);
    await own.close();
  });
});

describe('the library', () => {
  it('keeps a world and brings it back', async () => {
    const world = sandbox.world('by-library');
    const kept = await world.snapshot('mine');
    expect(kept).toMatchObject({ name: 'mine', clock: 'manual' });
    await inWorld('by-library').call('+12125550100');
    await kept.restore();
    expect(await world.requests()).toEqual([]);
    await expect(world.snapshot('mine')).rejects.toMatchObject({ code: 'conflict' });
    await kept.delete();
    await expect(kept.restore()).rejects.toMatchObject({ code: 'not_found' });
    expect((await sandbox.snapshot()).name).toBe('snapshot-1');
    expect(await dataOf(client, '/_sandbox/snapshots')).toHaveLength(1);
  });
});
