// The forwarding objects that `useSandbox` returns to the tests.
import { describe, expect, it } from 'vitest';
import { forwardTo } from '../support/sandbox.ts';

describe('a forwarding object', () => {
  it('is read, listed and spread as its target is', () => {
    const target = Object.freeze({ name: 'default', inner: { url: 'http://127.0.0.1' } });
    const forwarding = forwardTo(() => target);
    expect({ ...forwarding }).toEqual(target);
    expect(Object.keys(forwarding)).toEqual(['name', 'inner']);
    expect('name' in forwarding).toBe(true);
    expect('other' in forwarding).toBe(false);
    const { name, ...rest } = forwarding;
    expect([name, rest]).toEqual(['default', { inner: target.inner }]);
  });

  it('throws before its target exists, when it is spread too', () => {
    const forwarding = forwardTo<{ name?: string }>(() => undefined);
    const message = 'The sandbox runs during tests and hooks only.';
    expect(() => forwarding.name).toThrow(message);
    expect(() => ({ ...forwarding })).toThrow(message);
    expect(() => 'name' in forwarding).toThrow(message);
  });
});
