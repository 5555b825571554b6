import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld } from '../support/webhooks.ts';
import { refusedStream, watch } from './setup.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: false, concurrentCalls: 'off' });

describe('a stream is refused', () => {
  it('to pages of other origins, without a valid key, and with what it does not take', async () => {
    const key = { Authorization: 'Bearer svc_sandbox_default' };
    const foreign = await refusedStream(sandbox.url, {}, { Origin: 'http://evil.example' });
    expect(foreign.status).toBe(403);
    expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
    expect((await refusedStream(sandbox.url, {}, { ...key, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await refusedStream(sandbox.url, {}, { Authorization: 'Bearer nobody' })).status).toBe(401);
    expect((await refusedStream(sandbox.url, { token: 'nobody' })).status).toBe(401);
    expect((await refusedStream(sandbox.url, { types: 'event,steps' }, key)).body.error.fields.types).toContain(
      'step,',
    );
    expect((await refusedStream(sandbox.url, { world: 'demo' }, key)).body.error.fields.world).toContain(
      'control token',
    );
    expect((await refusedStream(sandbox.url, { from: '1' }, key)).status).toBe(400);
    const twice = new URLSearchParams('types=event&types=request');
    expect((await refusedStream(sandbox.url, twice, key)).body.error.fields).toHaveProperty('types');
    expect((await refusedStream(sandbox.url, {}, { ...key, 'X-Sandbox-World': 'demo' })).status).toBe(400);
    const client = clientOf(sandbox.url);
    expectError(await client.get('/_sandbox/stream'), 426, 'validation_error');
  });

  it('with a control token, to whoever does not have it; the query can carry token and world', async () => {
    const guarded = await createSandbox({ clock: 'manual', controlToken: 'open-sesame-1234567890' });
    try {
      const token = 'open-sesame-1234567890';
      expect((await refusedStream(guarded.url, {}, { Authorization: 'Bearer svc_sandbox_default' })).status).toBe(401);
      expect((await refusedStream(guarded.url, { token, world: 'no-such' })).status).toBe(404);
      for (const [query, headers] of [
        [{ token, world: 'demo' }, {}],
        [{}, { Authorization: `Bearer ${token}`, 'X-Sandbox-World': 'demo' }],
      ] as [Record<string, string>, Record<string, string>][]) {
        const { openStream } = await import('./setup.ts');
        const watcher = await openStream(guarded.url, query, headers);
        if ('status' in watcher) throw new Error(JSON.stringify(watcher.body));
        expect(watcher.opened.data.world).toBe('demo');
        await watcher.leave();
      }
    } finally {
      await guarded.close();
    }
  });

  it('when a world has a hundred of them', async () => {
    const { client } = freshWorld(sandbox);
    const open = await Promise.all(Array.from({ length: 100 }, () => watch(sandbox.url, client.key)));
    expect((await refusedStream(sandbox.url, { token: client.key })).status).toBe(429);
    await open[0]?.leave();
    const one = await watch(sandbox.url, client.key);
    await Promise.all([...open.slice(1), one].map((each) => each.leave()));
  });
});
