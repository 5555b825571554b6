// Keys that no world has: `interface.md` section 2. They get 401 and create nothing.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { useWorlds } from './setup.ts';

const { client, withKey, worldNames } = useWorlds();

describe('an unknown key', () => {
  it.each([
    'svc_',
    'svc_sandbox_',
    'svc_sandbox_nope',
    'svc_sandbox_default_x',
    'svc_sandbox_default.x',
    'svc_sandbox_defaul',
    'SVC_SANDBOX_DEFAULT',
    'sandbox_default',
    'svc_key_0000000000000000000000000000000000000000',
    'x',
  ])('%s gets 401, also from the control API', async (key) => {
    for (const path of ['/v1/me', '/_sandbox/clock']) {
      const answer = await withKey(key).get(path);
      expectError(answer, 401, 'unauthorized');
      expect(answer.headers['x-sandbox-world']).toBeUndefined();
    }
  });

  it.each([
    ['without a world', 'svc_test_', 'names no world'],
    ['without a world before the dot', 'svc_test_.ci', 'names no world'],
    ['with a plus', 'svc_test_a+b', 'has the character + in its world'],
    ['with a bracket', 'svc_test_busy[0].x', 'has the character [ in its world'],
    ['with a percent sign', 'svc_test_%C3%A4', 'has the character % in its world'],
    ['of 65 characters', `svc_test_${'a'.repeat(65)}`, 'has a world of 65 characters'],
    ['with 513 characters after the dot', `svc_test_a.${'b'.repeat(513)}`, 'has 513 characters after its dot'],
    ['with a prefix in capitals', 'SVC_TEST_a', 'has svc_test_ in capitals'],
    ['with a space', 'svc_test_busy line', 'has a space in its world'],
    ['with a space after the dot', 'svc_test_a.busy line', 'has a space after its dot'],
    ['with an umlaut', 'svc_test_b\u00fcro', 'has a character that is not visible ASCII in its world'],
    ['with an umlaut after the dot', 'svc_test_a.b\u00fcro', 'has a character that is not visible ASCII after its dot'],
  ])('a svc_test_ key %s gets 401, says so, and creates no world', async (_, key, problem) => {
    const before = await worldNames();
    for (const path of ['/v1/me', '/_sandbox/clock', '/_sandbox/worlds']) {
      const answer = await withKey(key).get(path);
      expectError(answer, 401, 'unauthorized');
      expect(answer.body.error.message).toContain('svc_test_<world> or svc_test_<world>.<anything>');
      expect(answer.body.error.message).toContain('1 to 64 of A-Z, a-z, 0-9, _ and -');
      expect(answer.body.error.message).toContain(`This one ${problem}.`);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="voice-platform", error="invalid_token"');
      if (key.length > 12) expect(answer.text).not.toContain(key.slice('svc_test_'.length));
    }
    expect(await worldNames()).toEqual(before);
  });

  it('of another form is not written to the log or the journal', async () => {
    await withKey('svc_test_hush+hush.7f3a').get('/v1/me');
    expect((await client.get('/_sandbox/requests')).text).not.toContain('hush');
  });
});
