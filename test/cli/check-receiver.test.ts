// `ringback check-receiver URL`: its verdicts about receivers that verify, that do not, and that are not there.
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/index.ts';
import { commandShell } from '../support/command-shell.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';

const { sandbox, client } = useSandbox({ clock: 'manual' });
const shell = commandShell();
// A delivery that was tampered with is not one of the platform.
const newReceiver = useReceivers({ checks: false });

async function check(url: string, ...flags: readonly string[]) {
  const { code, stdout, stderr } = await shell(['check-receiver', url, '--json', ...flags]);
  expect(stderr).toBe('');
  const { passed, checks } = JSON.parse(stdout);
  const verdicts = Object.fromEntries(
    checks.map((each: { name: string; verdict: string }) => [each.name, each.verdict]),
  );
  return { code, passed, verdicts };
}

// Of a slow delivery, the bytes take a second.
const flags = thorough ? [] : ['--only', 'good,tampered,unsigned,duplicate,reordered,unknown_type'];
const accepted = {
  good: 'passed',
  duplicate: 'passed',
  reordered: 'passed',
  unknown_type: 'passed',
  ...(thorough && { slow: 'passed' }),
};

/** A receiver that answers 401 to what is not signed with this secret. */
async function verifying(secret: string): Promise<string> {
  const receiver = await newReceiver();
  receiver.onDelivery = ({ raw, headers }, res) => {
    const signature = headers['x-service-signature-256'];
    if (typeof signature !== 'string' || !verifySignature(raw, signature, secret)) res.writeHead(401).end();
  };
  return receiver.url;
}

describe('check-receiver', () => {
  it('passes a receiver that verifies signatures', async () => {
    const verdicts = { ...accepted, tampered: 'passed', unsigned: 'passed' };
    expect(await check(await verifying('sandbox_signing_secret'), ...flags)).toEqual({
      code: 0,
      passed: true,
      verdicts,
    });
  });

  it('takes the events from a world of the server that is named, which is gone afterwards', async () => {
    const atServer = ['--url', sandbox.url, '--secret', 'our own', '--only', 'good,tampered'];
    const { body: before } = await client.get('/_sandbox/worlds');
    expect(await check(await verifying('our own'), ...atServer)).toMatchObject({ code: 0, passed: true });
    expect((await client.get('/_sandbox/worlds')).body).toEqual(before);
  });

  it('fails a receiver that accepts everything, and one that accepts nothing', async () => {
    const naive = await newReceiver();
    const verdicts = { ...accepted, tampered: 'failed', unsigned: 'failed' };
    expect(await check(naive.url, ...flags)).toEqual({ code: 1, passed: false, verdicts });
    const strict = await verifying('another secret');
    expect(await check(strict, '--only', 'good,tampered')).toMatchObject({
      code: 1,
      verdicts: { good: 'failed', tampered: 'passed' },
    });
  });

  it('skips what events without a signature cannot tell', async () => {
    const { url } = await newReceiver();
    const { code, verdicts } = await check(
      url,
      '--event',
      'call_busy',
      '--only',
      'good,tampered,unsigned,unknown_type',
    );
    expect(code).toBe(0);
    expect(verdicts).toEqual({ good: 'passed', tampered: 'skipped', unsigned: 'skipped', unknown_type: 'skipped' });
  });

  it('stops at once if nothing listens there, and says so', async () => {
    const receiver = await newReceiver();
    await receiver.close();
    const { code, stdout, stderr } = await shell(['check-receiver', receiver.url]);
    expect([code, stderr]).toEqual([1, 'ringback: is the receiver running, at that address?\n']);
    expect(stdout).toMatch(/^good +failed +none /m);
    expect(stdout).toContain('nothing listens there (ECONNREFUSED)');
    expect(stdout).not.toContain('tampered');
  });

  it('stops at once if its name is not known, and says so', async () => {
    const { code, stdout, stderr } = await shell(['check-receiver', 'http://receiver.invalid/hooks']);
    expect([code, stderr]).toEqual([1, 'ringback: is the receiver running, at that address?\n']);
    expect(stdout).toMatch(/its name is not known \((ENOTFOUND|EAI_AGAIN)\)/);
    expect(stdout).not.toContain('tampered');
  });
});
