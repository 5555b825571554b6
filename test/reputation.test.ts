// Number reputation and remediation: `spec.md` "Remediation request" under "Resources and their fields" and "States and
// transitions", the capabilities of "When enterprise registration […] is required"; the row remediation_status of
// `interface.md` section 9 and the `remediation` scenarios of section 3.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { approve, dataOf, draft, playing, REMEDIATIONS, REPUTATION, sign } from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { order } from './support/texting.ts';
import { childOf, instant, pagesOf, START } from './support/world.ts';

const SECOND = '+14155550191';
const PROVISIONING = '+14155550192';
const THIRD = '+14155550193';
const DAY = 86_400_000;
const OUTCOMES = ['remediated', 'not_flagged', 'requires_review', 'ineligible', 'refused'];

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  client = clientOf(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const remediate = (phone_numbers: unknown, use?: string): Promise<Answer> =>
  client.post(REMEDIATIONS, { phone_numbers }, use === undefined ? {} : playing(use));
const read = async (id: string): Promise<Answer['body']> => dataOf(await client.get(`${REMEDIATIONS}/${id}`));
const outcomesOf = ({ numbers }: Answer['body']): string[] =>
  numbers.map(({ outcome }: { outcome: string }) => outcome);
const reputation = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get(REPUTATION));
const riskOf = async (number: string): Promise<string> =>
  (await reputation()).find(({ phone_number }) => phone_number === number).spam_risk;

describe('the reputation of numbers', () => {
  it('is there from the start, without an enterprise, under the shared umbrella', async () => {
    const numbers = await reputation();
    expect(numbers.map(({ phone_number }) => phone_number)).toEqual([FROM, SECOND, PROVISIONING, THIRD]);
    expect(numbers[0]).toEqual({
      phone_number_id: '4190',
      phone_number: FROM,
      spam_risk: 'low',
      spam_score: expect.any(Number),
      enrolled_at: instant(-90 * DAY),
      own_brand: false,
    });
  });

  it('has a score that fits the risk, and none for a number that is not enrolled yet', async () => {
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

  it('comes under the own brand once the enterprise is approved', async () => {
    await approve(client, sandbox);
    expect((await reputation()).map(({ own_brand }) => own_brand)).toEqual([true, true, false, true]);
  });

  it('stays under the umbrella while the enterprise is vetted', async () => {
    await draft(client);
    await sign(client);
    expect((await reputation()).some(({ own_brand }) => own_brand)).toBe(false);
  });

  it('is paged, and each organization sees its own', async () => {
    const pages = await pagesOf(client, REPUTATION, 3);
    expect(pages.map(({ data }) => data.length)).toEqual([3, 1]);
    expect(pages.flatMap(({ data }) => data)).toEqual(await reputation());
    expect(pages[1]?.meta).toEqual({ page_size: 3, cursor: null });
    const child = await childOf(sandbox.url, client);
    expect((await reputation(child)).map(({ phone_number }) => phone_number)).toEqual(['+14155550194']);
  });
});

describe('a remediation request', () => {
  it('is finished in the fixture, though no enterprise is there any more', async () => {
    const [finished, ...more] = dataOf(await client.get(REMEDIATIONS));
    expect(more).toEqual([]);
    expect(finished).toEqual({
      request_id: expect.stringMatching(/./),
      status: 'completed',
      source: 'api',
      submitted_at: instant(-35 * DAY),
      completed_at: instant(-32 * DAY),
      numbers: [
        { phone_number: FROM, outcome: 'remediated', billed_amount_dc: expect.any(Number) },
        { phone_number: SECOND, outcome: 'requires_review', billed_amount_dc: 0 },
      ],
    });
    expect(await read(finished.request_id)).toEqual(finished);
  });

  it('is 202, pending, with null outcomes', async () => {
    await approve(client, sandbox);
    const answer = await remediate([SECOND, THIRD]);
    expect(answer.headers['x-sandbox-scenario']).toBe('remediated');
    expect(dataOf(answer, 202)).toEqual({
      request_id: expect.stringMatching(/./),
      status: 'pending',
      source: 'api',
      submitted_at: instant(40_000),
      completed_at: null,
      numbers: [
        { phone_number: SECOND, outcome: null, billed_amount_dc: 0 },
        { phone_number: THIRD, outcome: null, billed_amount_dc: 0 },
      ],
    });
    expect(await read(answer.body.data.request_id)).toEqual(answer.body.data);
  });

  it('is worked on, and completed 60 seconds later; until then every outcome is null', async () => {
    await approve(client, sandbox);
    const { request_id } = dataOf(await remediate([SECOND, THIRD]), 202);
    await sandbox.clock.advance('59999ms');
    const before = await read(request_id);
    expect([before.status, before.completed_at, ...outcomesOf(before)]).toEqual(['in_progress', null, null, null]);
    await sandbox.clock.advance('1ms');
    const after = await read(request_id);
    expect([after.status, after.completed_at]).toEqual(['completed', instant(100_000)]);
    expect(outcomesOf(after)).toEqual(['remediated', 'remediated']);
    expect(after.numbers[0].billed_amount_dc).toBeGreaterThan(0);
  });

  it.each(OUTCOMES)(
    'can end as %s for all its numbers, and only a remediated one costs and loses its flag',
    async (use) => {
      await approve(client, sandbox);
      const { request_id } = dataOf(await remediate([SECOND, THIRD], use), 202);
      await sandbox.clock.untilIdle();
      const { numbers } = await read(request_id);
      for (const { outcome, billed_amount_dc } of numbers) {
        expect(outcome).toBe(use);
        expect(billed_amount_dc > 0).toBe(use === 'remediated');
      }
      expect([await riskOf(SECOND), await riskOf(THIRD)]).toEqual(
        use === 'remediated' ? ['low', 'low'] : ['medium', 'high'],
      );
    },
  );

  it('can end otherwise for each of its numbers', async () => {
    await approve(client, sandbox);
    const { request_id } = dataOf(await remediate([FROM, SECOND, PROVISIONING, THIRD], 'mixed_outcomes'), 202);
    await sandbox.clock.untilIdle();
    expect(outcomesOf(await read(request_id))).toEqual(OUTCOMES.slice(0, 4));
  });

  it('comes to the fifth outcome with the fifth number, and begins anew with the sixth', async () => {
    await approve(client, sandbox);
    const fifth = dataOf(await order(client), 201).phone_number;
    const sixth = dataOf(await order(client), 201).phone_number;
    const numbers = [FROM, SECOND, PROVISIONING, THIRD, fifth, sixth];
    const { request_id } = dataOf(await remediate(numbers, 'mixed_outcomes'), 202);
    await sandbox.clock.untilIdle();
    expect(outcomesOf(await read(request_id))).toEqual([...OUTCOMES, OUTCOMES[0]]);
  });

  it('of another organization with the same numbers is no business of ours: its outcome leaves our risk', async () => {
    const other = clientOf(sandbox.url, 'svc_test_reputation-other');
    const world = sandbox.world('reputation-other');
    await approve(other, world);
    dataOf(await other.post(REMEDIATIONS, { phone_numbers: [SECOND] }), 202);
    await world.clock.untilIdle();
    expect((await reputation(other)).find(({ phone_number }) => phone_number === SECOND).spam_risk).toBe('low');
    expect(await riskOf(SECOND)).toBe('medium');
  });

  it('that is slow takes days', async () => {
    await approve(client, sandbox);
    const { request_id } = dataOf(await remediate([SECOND], 'remediation_slow'), 202);
    await sandbox.clock.advance('3d');
    expect((await read(request_id)).status).toBe('in_progress');
    await sandbox.clock.advance('5s');
    expect((await read(request_id)).status).toBe('completed');
  });

  it.each([
    ['fail', 'failed'],
    ['cancel', 'cancelled'],
  ])('can %s by a scenario of our own, and has no outcomes then', async (trigger, status) => {
    const text = `kind: remediation\nsummary: Our own.\ntimeline:\n  - { after: 1s, trigger: start }\n  - { after: 1s, trigger: ${trigger} }\n`;
    await client.put('/_sandbox/scenarios/our_own', text, { 'Content-Type': 'application/yaml' });
    await approve(client, sandbox);
    const { request_id } = dataOf(await remediate([SECOND], 'our_own'), 202);
    await sandbox.clock.untilIdle();
    expect(await read(request_id)).toMatchObject({
      status,
      completed_at: instant(42_000),
      numbers: [{ outcome: null }],
    });
    dataOf(await remediate([SECOND]), 202);
  });

  it('is 409 without an enterprise, and with one that is not APPROVED; the answer names the state', async () => {
    const without = await remediate([SECOND]);
    expectError(without, 409, 'conflict');
    expect(without.body.error.message).toContain('APPROVED');
    await draft(client);
    for (const state of ['DRAFT', 'PENDING_VETTING', 'REJECTED']) {
      if (state === 'PENDING_VETTING') await sign(client, {}, playing('vetting_rejected'));
      if (state === 'REJECTED') await sandbox.clock.advance('40s');
      const answer = await remediate([SECOND]);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(new RegExp(`is ${state};.*APPROVED`));
    }
    expect(dataOf(await client.get(REMEDIATIONS))).toHaveLength(1);
  });

  it('is 409 for a number that is being worked on, and not for others or once that has ended', async () => {
    await approve(client, sandbox);
    dataOf(await remediate([SECOND]), 202);
    const again = await remediate([THIRD, SECOND]);
    expectError(again, 409, 'conflict');
    expect(again.body.error.message).toContain('pending');
    expect(Object.keys(again.body.error.fields)).toEqual(['phone_numbers.1']);
    dataOf(await remediate([THIRD]), 202);
    await sandbox.clock.advance('60s');
    dataOf(await remediate([THIRD, SECOND]), 202);
  });

  it('is 404 for numbers that the organization does not have, each named', async () => {
    await approve(client, sandbox);
    const answer = await remediate(['+12125550199', SECOND, '+14155550194']);
    expectError(answer, 404, 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_numbers.0', 'phone_numbers.2']);
  });

  it.each([
    ['absent', undefined, 'phone_numbers'],
    ['null', null, 'phone_numbers'],
    ['a string', SECOND, 'phone_numbers'],
    ['empty', [], 'phone_numbers'],
    ['twice the same', [SECOND, SECOND], 'phone_numbers'],
    ['2,001', Array.from({ length: 2001 }, (_, n) => `+1415555${String(n).padStart(4, '0')}`), 'phone_numbers'],
    ['one that is no number', [SECOND, 'x'], 'phone_numbers.1'],
    ['one that is null', [null], 'phone_numbers.0'],
  ])('is 400 where phone_numbers is %s, and names it', async (_, phone_numbers, field) => {
    await approve(client, sandbox);
    const answer = await remediate(phone_numbers);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
  });

  it('is listed newest first, counted, and paged', async () => {
    await approve(client, sandbox);
    const ids = [];
    for (const number of [FROM, SECOND, THIRD]) {
      ids.unshift(dataOf(await remediate([number]), 202).request_id);
      await sandbox.clock.advance('1s');
    }
    const { data, meta } = (await client.get(REMEDIATIONS)).body;
    expect(data.slice(0, 3).map(({ request_id }: { request_id: string }) => request_id)).toEqual(ids);
    expect(meta).toEqual({ cursor: null, total_results: 4, page_size: 25 });
    const pages = await pagesOf(client, REMEDIATIONS, 3);
    expect(pages.flatMap((page) => page.data)).toEqual(data);
  });

  it('is 404 under an unknown id, and for another organization', async () => {
    const [{ request_id }] = dataOf(await client.get(REMEDIATIONS));
    expectError(await client.get(`${REMEDIATIONS}/nope`), 404, 'not_found');
    for (const other of [clientOf(sandbox.url, 'svc_sandbox_other'), await childOf(sandbox.url, client)]) {
      expectError(await other.get(`${REMEDIATIONS}/${request_id}`), 404, 'not_found');
      expect(dataOf(await other.get(REMEDIATIONS))).toEqual([]);
    }
  });

  it('begins at the instant of the world', async () => {
    expect(await sandbox.clock.now()).toBe(START);
    await approve(client, sandbox);
    await sandbox.clock.advance('2d');
    expect(dataOf(await remediate([SECOND]), 202).submitted_at).toBe(instant(2 * DAY + 40_000));
  });
});
