// The bundled world `regulated`, whose calling rules are on: `interface.md` section 2, `spec.md` "Errors".
import { describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { useWorlds, withSandbox } from './setup.ts';

const { withKey } = useWorlds();

describe('the regulated world', () => {
  const NEW_YORK = '+12125550199';
  const LOS_ANGELES = '+12135550199';

  /** Runs `body` in a sandbox that starts on a Monday before calling hours. */
  async function regulated(body: (dial: (number: string, at?: string) => Promise<Answer>) => Promise<void>) {
    await withSandbox({ start: '2026-01-05T12:00:00.000Z' }, async (own) => {
      const client = withKey('svc_sandbox_regulated', own);
      await body(async (number, at) => {
        if (at !== undefined) await own.world('regulated').clock.advance({ to: at });
        return client.dial(number);
      });
    });
  }

  const allowed = (answer: Answer): void => expect(answer.status, answer.text).toBe(202);

  it.each([
    ['+12125550170', 403, 'dnc_suppressed'],
    ['+12125550171', 403, 'recipient_opted_out'],
    ['+12125550172', 403, 'no_consent'],
    ['+12125550173', 403, 'contact_automation_paused'],
  ])('refuses %s with %i %s', async (number, status, code) => {
    await regulated(async (dial) => {
      const answer = await dial(number, '2026-01-05T16:00:00.000Z');
      expectError(answer, status, code);
      expect(answer.body.error.category).toBe('compliance_block');
    });
  });

  it('allows three calls a day to one number', async () => {
    await regulated(async (dial) => {
      for (const time of ['16:00', '17:00', '18:00']) allowed(await dial(NEW_YORK, `2026-01-05T${time}:00.000Z`));
      const fourth = await dial(NEW_YORK);
      expectError(fourth, 429, 'frequency_exceeded');
      expect(fourth.body.error.category).toBe('compliance_block');
      allowed(await dial('+12125550198'));
      allowed(await dial(NEW_YORK, '2026-01-06T18:00:00.000Z'));
    });
  });

  it('allows calls from 08:00:00 to 20:59:59 at the destination', async () => {
    await regulated(async (dial) => {
      expectError(await dial(NEW_YORK, '2026-01-05T12:59:59.000Z'), 403, 'outside_call_window');
      allowed(await dial(NEW_YORK, '2026-01-05T13:00:00.000Z'));
      expectError(await dial(LOS_ANGELES), 403, 'outside_call_window');
      expectError(await dial(LOS_ANGELES, '2026-01-05T15:59:59.000Z'), 403, 'outside_call_window');
      allowed(await dial(LOS_ANGELES, '2026-01-05T16:00:00.000Z'));
      allowed(await dial(NEW_YORK, '2026-01-06T01:59:59.000Z'));
      expectError(await dial(NEW_YORK, '2026-01-06T02:00:00.000Z'), 403, 'outside_call_window');
      allowed(await dial(LOS_ANGELES));
    });
  });

  it('allows calls from Monday to Saturday', async () => {
    await regulated(async (dial) => {
      allowed(await dial(NEW_YORK, '2026-01-10T17:00:00.000Z'));
      expectError(await dial(NEW_YORK, '2026-01-11T17:00:00.000Z'), 403, 'day_not_allowed');
      allowed(await dial(NEW_YORK, '2026-01-12T17:00:00.000Z'));
    });
  });

  it('is the only one with calling rules: other worlds allow calls at night and a fourth call per day', async () => {
    await withSandbox({ start: '2026-01-11T08:00:00.000Z' }, async (own) => {
      for (const key of [
        'svc_sandbox_default',
        'svc_sandbox_demo',
        'svc_sandbox_hipaa',
        'svc_sandbox_other',
        'svc_test_n',
      ]) {
        for (let calls = 0; calls < 4; calls++) allowed(await withKey(key, own).dial(NEW_YORK));
        for (const number of ['70', '71', '72', '73']) allowed(await withKey(key, own).dial(`+121255501${number}`));
      }
    });
  });
});
