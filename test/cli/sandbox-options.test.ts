// The options of `createSandbox`, which are the settings of `interface.md` section 1 in camel case.
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';

describe('the options of createSandbox', () => {
  it('are the settings in camel case, as strings or typed values', async () => {
    const sandbox = await createSandbox({
      clock: 'manual',
      start: '2031-05-06T07:08:09.010Z',
      rateLimit: false,
      concurrentCalls: 1,
      autoWorlds: false,
      journalLimit: 2,
      strict: true,
      controlToken: 'open-sesame',
      seed: '7',
    });
    const client = clientOf(sandbox.url);
    const control = clientOf(sandbox.url, 'open-sesame');
    expect(await sandbox.clock.now()).toBe('2031-05-06T07:08:09.010Z');
    expect((await client.dial('+12125550108')).headers['x-sandbox-version']).toBeUndefined();
    expectError(await client.dial('+12125550108'), 429, 'rate_limited');
    expect((await client.get('/v1/calls')).headers['x-ratelimit-remaining']).toBe('600');
    expectError(await client.get('/_sandbox/clock'), 401, 'unauthorized');
    expect((await control.get('/_sandbox/requests')).body.meta.total_results).toBe(2);
    expectError(await clientOf(sandbox.url, 'svc_test_unseen').get('/v1/account'), 401, 'unauthorized');
    await sandbox.close();
  });

  it('have their defaults when undefined', async () => {
    const sandbox = await createSandbox({ clock: 'manual', seed: undefined, state: undefined });
    const { body } = await clientOf(sandbox.url).get('/_sandbox/clock');
    await sandbox.close();
    expect(body.data.now).toBe('2026-01-05T15:00:00.000Z');
  });

  it('ignore the environment', async () => {
    process.env.RINGBACK_SEED = 'not a number';
    try {
      const sandbox = await createSandbox();
      await sandbox.close();
      expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    } finally {
      delete process.env.RINGBACK_SEED;
    }
  });
});
