// Keys that no world has: `interface.md` section 2. They get 401 and create nothing.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { useWorlds } from './setup.ts';

const { withKey, worldNames } = useWorlds();

describe('an unknown key', () => {
  it.each([
    'svc_',
    'svc_sandbox_',
    'svc_sandbox_nope',
    'svc_sandbox_default_x',
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
    ['without a name', 'svc_test_'],
    ['with nothing before the underscore', 'svc_test__ci'],
    ['in capital letters', 'svc_test_NIGHTLY'],
    ['with a capital letter', 'svc_test_nightlY'],
    ['with a dot', 'svc_test_a.b'],
    ['with a letter beyond a to z', 'svc_test_%C3%A4'],
    ['of 41 characters', `svc_test_${'a'.repeat(41)}`],
    ['with a prefix in capital letters', 'SVC_TEST_a'],
  ])('a svc_test_ key %s gets 401 and creates no world', async (_, key) => {
    const before = await worldNames();
    for (const path of ['/v1/me', '/_sandbox/clock']) expectError(await withKey(key).get(path), 401, 'unauthorized');
    expect(await worldNames()).toEqual(before);
  });
});
