// The reputation of numbers: the capabilities of `spec.md` "When enterprise registration […] is required".
import { beforeEach, describe, expect, it } from 'vitest';
import { approve, dataOf, draft, REPUTATION, sign } from '../support/caller-trust.ts';
import { type Answer, type Client, FROM } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { childOf, instant, pagesOf } from '../support/world.ts';

const SECOND = '+14155550191';
const PROVISIONING = '+14155550192';
const THIRD = '+14155550193';
const DAY = 86_400_000;

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

const reputation = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get(REPUTATION));

describe('the reputation of numbers', () => {
  it('is available from the start, without an enterprise, under the shared umbrella', async () => {
    const numbers = await reputation();
    expect(numbers.map(({ phone_number }) => phone_number)).toEqual([FROM, SECOND, PROVISIONING, THIRD]);
    expect(numbers[0]).toEqual({
      phone_number_id: '4190',
      phone_number: FROM,
      spam_risk: 'low',
      spam_score: expect.any(Number),
      enrolled_at: instant(-90 * DAY),
      last_checked_at: '2026-01-05T14:00:00.000Z',
      own_brand: false,
    });
  });

  it('has a score that fits the risk, and none until the number is enrolled', async () => {
    const bands: Record<string, [number, number]> = { low: [0, 29], medium: [30, 69], high: [70, 100] };
    for (const { phone_number, spam_risk, spam_score, enrolled_at } of await reputation()) {
      if (phone_number === PROVISIONING) {
        expect([spam_risk, spam_score, enrolled_at]).toEqual(['unknown', null, null]);
        continue;
      }
      const [least, most] = bands[spam_risk] as [number, number];
      expect(spam_score).toBeGreaterThanOrEqual(least);
      expect(spam_score).toBeLessThanOrEqual(most);
    }
    expect(new Set((await reputation()).map(({ spam_risk }) => spam_risk))).toEqual(
      new Set(['low', 'medium', 'high', 'unknown']),
    );
  });

  it('moves to the own brand once the enterprise is approved', async () => {
    await approve(client, sandbox);
    expect((await reputation()).map(({ own_brand }) => own_brand)).toEqual([true, true, false, true]);
  });

  it('stays under the umbrella during vetting', async () => {
    await draft(client);
    await sign(client);
    expect((await reputation()).some(({ own_brand }) => own_brand)).toBe(false);
  });

  it('is paged, and each organization sees only its own numbers', async () => {
    const pages = await pagesOf(client, REPUTATION, 3);
    expect(pages.map(({ data }) => data.length)).toEqual([3, 1]);
    expect(pages.flatMap(({ data }) => data)).toEqual(await reputation());
    expect(pages[1]?.meta).toEqual({ page_size: 3, cursor: null });
    const child = await childOf(sandbox.url, client);
    expect((await reputation(child)).map(({ phone_number }) => phone_number)).toEqual(['+14155550194']);
  });
});
