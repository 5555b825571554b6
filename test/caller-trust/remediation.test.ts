// Remediation requests: `spec.md` "Remediation request" under "Resources and their fields" and "States and transitions";
// the row remediation_status of `interface.md` section 9 and the `remediation` scenarios of section 3.
import { beforeEach, describe, expect, it } from 'vitest';
import { approve, dataOf, draft, REMEDIATIONS, REPUTATION, sign } from '../support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM, playing } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { order } from '../support/texting.ts';
import { childOf, instant, pagesOf, START } from '../support/world.ts';

const SECOND = '+14155550191';
const PROVISIONING = '+14155550192';
const THIRD = '+14155550193';
const DAY = 86_400_000;
const OUTCOMES = ['remediated', 'not_flagged', 'requires_review', 'ineligible', 'refused'];

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

const remediate = (phone_numbers: unknown, use?: string): Promise<Answer> =>
  client.post(REMEDIATIONS, { phone_numbers }, use === undefined ? {} : playing(use));
const read = async (id: string): Promise<Answer['body']> => dataOf(await client.get(`${REMEDIATIONS}/${id}`));
const outcomesOf = ({ numbers }: Answer['body']): string[] =>
  numbers.map(({ outcome }: { outcome: string }) => outcome);
const reputation = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get(REPUTATION));
const riskOf = async (number: string): Promise<string> =>
  (await reputation()).find(({ phone_number }) => phone_number === number).spam_risk;

describe('a remediation request', () => {
  it('is completed in the fixture, although the enterprise no longer exists', async () => {
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

  it('starts with 202, pending and null outcomes', async () => {
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

  it('is in progress with null outcomes until it completes after 60 seconds', async () => {
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
    'can end as %s for all numbers, and only a remediated one is billed and loses its flag',
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

  it('can end with a different outcome for each number', async () => {
    await approve(client, sandbox);
    const { request_id } = dataOf(await remediate([FROM, SECOND, PROVISIONING, THIRD], 'mixed_outcomes'), 202);
    await sandbox.clock.untilIdle();
    expect(outcomesOf(await read(request_id))).toEqual(OUTCOMES.slice(0, 4));
  });

  it('assigns mixed outcomes in turn, and starts over after the fifth', async () => {
    await approve(client, sandbox);
    const fifth = dataOf(await order(client), 201).phone_number;
    const sixth = dataOf(await order(client), 201).phone_number;
    const numbers = [FROM, SECOND, PROVISIONING, THIRD, fifth, sixth];
    const { request_id } = dataOf(await remediate(numbers, 'mixed_outcomes'), 202);
    await sandbox.clock.untilIdle();
    expect(outcomesOf(await read(request_id))).toEqual([...OUTCOMES, OUTCOMES[0]]);
  });

  it('of another organization with the same number does not change our risk', async () => {
    const other = clientOf(sandbox.url, 'svc_test_reputation-other');
    const world = sandbox.world('reputation-other');
    await approve(other, world);
    dataOf(await other.post(REMEDIATIONS, { phone_numbers: [SECOND] }), 202);
    await world.clock.untilIdle();
    expect((await reputation(other)).find(({ phone_number }) => phone_number === SECOND).spam_risk).toBe('low');
    expect(await riskOf(SECOND)).toBe('medium');
  });

  it('takes days with the scenario remediation_slow', async () => {
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
  ])('can %s through a custom scenario, and then has no outcomes', async (trigger, status) => {
    const text = `kind: remediation\nsummary: Custom.\ntimeline:\n  - { after: 1s, trigger: start }\n  - { after: 1s, trigger: ${trigger} }\n`;
    await client.put('/_sandbox/scenarios/custom', text, { 'Content-Type': 'application/yaml' });
    await approve(client, sandbox);
    const { request_id } = dataOf(await remediate([SECOND], 'custom'), 202);
    await sandbox.clock.untilIdle();
    expect(await read(request_id)).toMatchObject({
      status,
      completed_at: instant(42_000),
      numbers: [{ outcome: null }],
    });
    dataOf(await remediate([SECOND]), 202);
  });

  it('returns 409 that names the state without an enterprise that is APPROVED', async () => {
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

  it('returns 409 for a number in an open request only', async () => {
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

  it('returns 404 that names each number the organization does not have', async () => {
    await approve(client, sandbox);
    const answer = await remediate(['+12125550199', SECOND, '+14155550194']);
    expectError(answer, 404, 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_numbers.0', 'phone_numbers.2']);
  });

  it.each([
    ['is absent', undefined, 'phone_numbers'],
    ['is null', null, 'phone_numbers'],
    ['is a string', SECOND, 'phone_numbers'],
    ['is empty', [], 'phone_numbers'],
    ['repeats a number', [SECOND, SECOND], 'phone_numbers'],
    [
      'has 2,001 numbers',
      Array.from({ length: 2001 }, (_, n) => `+1415555${String(n).padStart(4, '0')}`),
      'phone_numbers',
    ],
    ['has an invalid number', [SECOND, 'x'], 'phone_numbers.1'],
    ['has a null', [null], 'phone_numbers.0'],
  ])('returns 400 that names the field if phone_numbers %s', async (_, phone_numbers, field) => {
    await approve(client, sandbox);
    const answer = await remediate(phone_numbers);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
  });

  it('is listed newest first, with a total and pages', async () => {
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

  it('returns 404 for an unknown id and to another organization', async () => {
    const [{ request_id }] = dataOf(await client.get(REMEDIATIONS));
    expectError(await client.get(`${REMEDIATIONS}/nope`), 404, 'not_found');
    for (const other of [clientOf(sandbox.url, 'svc_sandbox_other'), await childOf(sandbox.url, client)]) {
      expectError(await other.get(`${REMEDIATIONS}/${request_id}`), 404, 'not_found');
      expect(dataOf(await other.get(REMEDIATIONS))).toEqual([]);
    }
  });

  it('is submitted at the current time of the world', async () => {
    expect(await sandbox.clock.now()).toBe(START);
    await approve(client, sandbox);
    await sandbox.clock.advance('2d');
    expect(dataOf(await remediate([SECOND]), 202).submitted_at).toBe(instant(2 * DAY + 40_000));
  });
});
