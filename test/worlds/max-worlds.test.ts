// --max-worlds: `interface.md` section 1. A new world replaces the one that a key created and that is idle longest.
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';
import { subscribe } from '../support/webhooks.ts';
import { sendBytes } from '../support/wire.ts';
import { BUNDLED, useWorlds, withHeldReceiver, withSandbox } from './setup.ts';

const { inWorld, worldNames } = useWorlds();

describe('--max-worlds', () => {
  const use = async (own: Sandbox, world: string): Promise<string | undefined> =>
    (await inWorld(world, own).get('/v1/me')).headers['x-sandbox-world'];
  const unbundled = async (own: Sandbox): Promise<string[]> =>
    (await worldNames(own)).filter((name) => !BUNDLED.includes(name)).sort();

  it('deletes the longest idle world for a new one, and reports it as recreated on its next request', async () => {
    await withSandbox({ maxWorlds: 7 }, async (own) => {
      const call = await inWorld('one', own).call('+12125550100');
      await use(own, 'two');
      expect(await unbundled(own)).toEqual(['one', 'two']);
      await use(own, 'three');
      expect(await unbundled(own)).toEqual(['three', 'two']);

      const answer = await inWorld('one', own).get(`/v1/calls/${call}`);
      expectError(answer, 404, 'not_found');
      expect(answer.headers['x-sandbox-world']).toBe('one;recreated');
      expect(await use(own, 'one')).toBe('one');
      expect(await unbundled(own)).toEqual(['one', 'three']);
      expect(await use(own, 'two')).toBe('two;recreated');
    });
  });

  it('deletes one world per new world, and one of many concurrent responses reports it as recreated', async () => {
    await withSandbox({ maxWorlds: 8 }, async (own) => {
      for (const world of ['one', 'two', 'three', 'four']) await use(own, world);
      expect(await unbundled(own)).toEqual(['four', 'three', 'two']);
      const shown = await Promise.all(Array.from({ length: 10 }, () => use(own, 'one')));
      expect(await unbundled(own)).toEqual(['four', 'one', 'three']);
      expect(shown.filter((world) => world === 'one;recreated')).toHaveLength(1);
    });
  });

  it('counts a request as use', async () => {
    await withSandbox({ maxWorlds: 7 }, async (own) => {
      await use(own, 'one');
      await use(own, 'two');
      await use(own, 'one');
      await use(own, 'three');
      expect(await unbundled(own)).toEqual(['one', 'three']);
    });
  });

  it('keeps a world with a delivery in flight', async () => {
    await withSandbox({ maxWorlds: 7 }, async (own) => {
      await withHeldReceiver(async (held) => {
        const client = inWorld('delivering', own);
        await subscribe(client, held.url, 'new_call');
        await client.dial('+12125550100');
        await use(own, 'idle');
        await use(own, 'next');
        expect(await unbundled(own)).toEqual(['delivering', 'next']);
      });
    });
  });

  it('never deletes bundled and posted worlds, and refuses a POST beyond the maximum', async () => {
    await withSandbox({ maxWorlds: 6 }, async (own) => {
      const client = clientOf(own.url);
      expect((await client.post('/_sandbox/worlds', { name: 'posted' })).status).toBe(201);
      expectError(await client.post('/_sandbox/worlds', { name: 'one-too-many' }), 409, 'conflict');
      expect((await worldNames(own)).sort()).toEqual([...BUNDLED, 'posted'].sort());
      expect((await inWorld('crowded-out', own).get('/v1/me')).status).not.toBe(200);
      expect((await worldNames(own)).sort()).toEqual([...BUNDLED, 'posted'].sort());
      await inWorld('posted', own).delete('/_sandbox/worlds/posted');
      expect((await client.post('/_sandbox/worlds', { name: 'one-too-many' })).status).toBe(201);
    });
  });

  it('holds when many worlds are requested at once', async () => {
    await withSandbox({ maxWorlds: 10 }, async (own) => {
      const first = (world: number): string =>
        `GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_test_at-once-${world}\r\n\r\n`;
      const last = first(0).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
      const { statuses } = await sendBytes(own.url, [...Array.from({ length: 40 }, (_, n) => first(n)), last].join(''));
      expect(statuses).toHaveLength(41);
      expect(await worldNames(own)).toHaveLength(10);
    });
  });

  it('a refused POST deletes no world: an existing name is 409, an unknown fixture 400', async () => {
    await withSandbox({ maxWorlds: 6 }, async (own) => {
      const client = clientOf(own.url);
      const call = await inWorld('one', own).call('+12125550100');
      expectError(await client.post('/_sandbox/worlds', { name: 'demo' }), 409, 'conflict');
      expect(await unbundled(own)).toEqual(['one']);
      expectError(await client.post('/_sandbox/worlds', { name: 'new', fixtures: 'nope' }), 400, 'validation_error');
      expect(await unbundled(own)).toEqual(['one']);
      expect((await inWorld('one', own).readCall(call)).status).toBe('QUEUED');
    });
  });

  it('a POST with the name of a world that a test key created is 409 at the maximum too, and keeps it', async () => {
    await withSandbox({ maxWorlds: 6 }, async (own) => {
      const call = await inWorld('one', own).call('+12125550100');
      expectError(await clientOf(own.url).post('/_sandbox/worlds', { name: 'one' }), 409, 'conflict');
      expect((await inWorld('one', own).readCall(call)).status).toBe('QUEUED');
    });
  });

  it('a world recreated by a control request is reported in its first response', async () => {
    await withSandbox({ maxWorlds: 6 }, async (own) => {
      await use(own, 'one');
      await use(own, 'two');
      const control = await inWorld('one', own).get('/_sandbox/clock');
      const platform = await use(own, 'one');
      expect([control.headers['x-sandbox-world'], platform]).toContain('one;recreated');
    });
  });
});
