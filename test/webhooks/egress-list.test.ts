// The addresses that a list in `--webhook-targets` allows: `interface.md` sections 1 and 6.
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { all, at, expectOutcomes, useEgress } from './egress-setup.ts';

const { target, sandboxWith } = useEgress();

describe('webhookTargets with a list', () => {
  it('allows only the addresses of its CIDRs, by any name or notation', async () => {
    const sandbox = await sandboxWith({ webhookTargets: '127.0.0.0/8, 198.51.100.0/24' });
    const open = [
      ...['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost'].map((host) => at(host, target.port)),
    ];
    const closed = [
      at('10.1.2.3'),
      at('203.0.113.1'),
      at('[2d00::1]'),
      at('0.0.0.0', target.port),
      at('169.254.169.254'),
    ];
    await expectOutcomes(sandbox, {
      ...all(open, 'delivered'),
      ...all(closed, 'blocked_address'),
      [at('198.51.100.77')]: 'not blocked',
    });
    expect(target.connections).toBe(open.length);
  });

  it('allows the hosts that it names, by that name only', async () => {
    const sandbox = await sandboxWith({ webhookTargets: 'LOCALHOST,hooks.example.test' });
    const open = [at('localhost', target.port), at('LocalHost', target.port)];
    const closed = [at('127.0.0.1', target.port), at('2130706433', target.port), at('[::1]', target.port)];
    await expectOutcomes(sandbox, {
      ...all(open, 'delivered'),
      ...all(closed, 'blocked_address'),
    });
    expect(target.connections).toBe(open.length);
  });

  it('allows one address when it names one', async () => {
    const sandbox = await sandboxWith({ webhookTargets: '127.0.0.1' });
    const open = [at('127.0.0.1', target.port), at('0x7f.1', target.port)];
    const closed = [at('127.0.0.2', target.port), at('[::1]', target.port)];
    await expectOutcomes(sandbox, {
      ...all(open, 'delivered'),
      ...all(closed, 'blocked_address'),
    });
  });

  it.each([
    '',
    '10.0.0.0/33',
    'http://hooks.example.test',
    '10.0.0.1,,10.0.0.2',
    'a host',
    'hooks.example.test:80',
    '10/8',
    '0x7f.1',
    'hooks.example.0127',
    'fd00::/129',
  ])('stops the start with one line that says what is allowed when malformed (%j)', async (webhookTargets) => {
    const problem = await createSandbox({ webhookTargets }).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(problem).toMatch(/^webhookTargets: .*must be private, public/);
    expect(problem).not.toContain('\n');
  });
});
