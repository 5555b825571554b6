// Coverage of several worlds, its minimum and its forms: `interface.md` section 5.
import { describe, expect, it } from 'vitest';
import { clientOf, expectError } from '../support/client.ts';
import { coverageOf, useCoveredWorlds } from './setup.ts';

const { newWorld } = useCoveredWorlds();

describe('several worlds', () => {
  it('are added up by glob, those that were deleted or reset included', async () => {
    const suites = ['merged-a', 'merged-b', 'merged-c'].map((name) => newWorld(name));
    for (const { client } of suites) await client.call('+12125550101');
    await suites[0]?.client.post('/_sandbox/reset');
    await suites[1]?.client.delete('/_sandbox/worlds/merged-b');
    const { client } = newWorld();
    expect(await coverageOf(client, '?worlds=merged-*')).toMatchObject({
      worlds: ['merged-a', 'merged-b', 'merged-c'],
      world_count: 3,
      requests: 3,
      operations: { counts: { dialCall: 3 } },
    });
    expect(await coverageOf(client, '?worlds=MERGED-B')).toMatchObject({ worlds: ['merged-b'], requests: 1 });
    expect(await coverageOf(client, '?worlds=nobody-*')).toMatchObject({ worlds: [], world_count: 0, requests: 0 });
    // A world that is made again goes on counting, and is not counted twice.
    await suites[1]?.client.call('+12125550101');
    expect(await coverageOf(client, '?worlds=merged-*')).toMatchObject({ world_count: 3, requests: 4 });
  });

  it('tell a key of one world nothing of another unless it asks for it', async () => {
    const [one, other] = [newWorld(), newWorld()];
    await one.client.get('/v1/me');
    expect((await other.coverage()).requests).toBe(0);
  });

  it('are the business of the control token where there is one', async () => {
    const { createSandbox } = await import('../../src/index.ts');
    const own = await createSandbox({ clock: 'manual', controlToken: 'a-control-token-of-the-tests' });
    try {
      const token = clientOf(own.url, 'a-control-token-of-the-tests');
      const { control_key } = (await token.post('/_sandbox/worlds', { name: 'ci-1' })).body.data;
      for (const world of ['ci-1', 'ci-2']) await clientOf(own.url, `svc_test_${world}`).get('/v1/me');
      expect(await coverageOf(token, '?worlds=ci-*')).toMatchObject({ worlds: ['ci-1', 'ci-2'], requests: 2 });
      const keyed = clientOf(own.url, control_key);
      expect(await coverageOf(keyed)).toMatchObject({ worlds: ['ci-1'], requests: 1 });
      expect(await coverageOf(keyed, '?worlds=ci-1')).toMatchObject({ requests: 1 });
      expectError(await keyed.get('/_sandbox/coverage?worlds=ci-*'), 403, 'forbidden');
      expectError(await clientOf(own.url, 'svc_test_ci-1').get('/_sandbox/coverage'), 401, 'unauthorized');
    } finally {
      await own.close();
    }
  });
});

describe('a minimum', () => {
  it('is judged part by part, as a percentage', async () => {
    const { client, coverage, untilIdle } = newWorld();
    for (const number of ['00', '01', '02', '03', '05']) await client.call(`+121255501${number}`);
    await untilIdle();
    const { minimum } = await coverage('?min=80');
    expect(minimum).toMatchObject({ percent: 80, passed: false });
    expect(minimum.below).toEqual(['operations', 'error_codes', 'event_types', 'receiver_answers']);
    expect((await coverage('?min=0')).minimum).toMatchObject({ passed: true, below: [] });
  });

  it.each(['101', '-1', '80%', 'x'])('of %s is refused', async (min) => {
    const { client } = newWorld();
    const answer = await client.get(`/_sandbox/coverage?min=${encodeURIComponent(min)}`);
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields.min).toBe('must be a percentage from 0 to 100');
  });
});

describe('other forms', () => {
  it('text says what was met, what was not, and what is below the minimum', async () => {
    const { client, world, untilIdle } = newWorld();
    await client.call('+12125550101');
    await client.get('/v1/me', { 'X-Sandbox-Error': 'internal_error' });
    await untilIdle();
    const { text, headers } = await client.get('/_sandbox/coverage?format=text&min=10');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toContain(`2 requests in the world ${world}`);
    expect(text).toMatch(/^call outcomes +1 of 6 +16\.6 %$/m);
    expect(text).toContain('repeated after 5xx: 0 of 1');
    expect(text).toMatch(/call outcomes not met:\n {2}answered no_answer voicemail failed canceled\n/);
    expect(text).toContain("below 10 %: operations, error codes, event types, receivers' answers");
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it('JUnit skips what was not met, and fails the parts below the minimum', async () => {
    const { client, untilIdle } = newWorld();
    for (const number of ['00', '01', '02', '03', '05']) await client.call(`+121255501${number}`);
    await untilIdle();
    const { text, headers } = await client.get('/_sandbox/coverage?format=junit&min=80');
    expect(headers['content-type']).toBe('application/xml');
    expect(text).toContain('<testsuite name="call outcomes" tests="7" failures="0" skipped="1">');
    expect(text).toContain(
      '<testcase classname="ringback.coverage.call_outcomes" name="canceled"><skipped message="not met"/></testcase>',
    );
    expect(text).toContain('<testcase classname="ringback.coverage.call_outcomes" name="at least 80 %"/>');
    expect(text).toContain('<testsuite name="receivers\' answers" tests="6" failures="1" skipped="5">');
    expect(text).toMatch(/<testsuites name="ringback coverage" tests="\d+" failures="4" skipped="\d+">/);
    const without = await client.get('/_sandbox/coverage?format=junit');
    expect(without.text).toContain('failures="0"');
    expect(without.text).not.toContain('<failure');
  });

  it('of an unknown name are refused', async () => {
    const { client } = newWorld();
    expectError(await client.get('/_sandbox/coverage?format=html'), 400, 'validation_error');
  });
});
