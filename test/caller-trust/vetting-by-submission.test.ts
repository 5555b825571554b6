// Rejection reasons that follow from what was submitted: the scenario vetting_by_submission, beside the scripted ones.
import { beforeEach, describe, expect, it } from 'vitest';
import { DETAILS, dataOf, draft, enterpriseOf, sign, submit, upload } from '../support/caller-trust.ts';
import { type Answer, playing } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { update } from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

const BY_SUBMISSION = playing('vetting_by_submission');

/** The enterprise after the vetting. */
async function vetted(details: object): Promise<Answer['body']> {
  dataOf(await draft(client, { ...DETAILS, ...details }), 201);
  dataOf(await sign(client, {}, BY_SUBMISSION));
  await sandbox.clock.advance('40s');
  return enterpriseOf(client);
}

const GOOD = {
  website: 'https://harborstreet.example/about',
  street_address: '12 Harbor Street',
  city: 'San Francisco',
  country: 'United States',
};

describe('vetting by submission', () => {
  it.each([
    ['a missing EIN', { ein: null }, 'The EIN is missing.'],
    ['an EIN that nobody has', { ein: '00-1234567' }, 'The EIN 00-1234567 was never assigned.'],
    ['a P.O. box', { street_address: 'P.O. Box 12' }, /P\.O\. box/],
    ['a post office box', { street_address: 'c/o Post Office Box 9' }, /P\.O\. box/],
    ['a website of this machine', { website: 'http://localhost:3000' }, /^The website http:\/\/localhost:3000 is not/],
    ['an address for a website', { website: 'https://10.0.0.1' }, /is not a public web address/],
    ['a website that is none', { website: 'coming soon' }, /is not a public web address/],
    ['a website of another scheme', { website: 'ftp://harborstreet.example' }, /is not a public web address/],
    ['another country', { country: 'Norway' }, 'The business is not in the United States.'],
  ])('rejects %s with the reason that names it', async (_, details, reason) => {
    const { status, rejection_reasons, reputation } = await vetted({ ...GOOD, ...details });
    expect(status).toBe('REJECTED');
    expect(rejection_reasons).toEqual([typeof reason === 'string' ? reason : expect.stringMatching(reason)]);
    expect(reputation.rejection_reasons).toEqual(rejection_reasons);
  });

  it.each([
    ['all details', GOOD],
    ['no more than a name and an EIN', {}],
    ['a website without a scheme', { website: 'www.harborstreet.example' }],
    ['a street that sounds like one', { street_address: '4 Post Box Lane' }],
  ])('approves %s', async (_, details) => {
    expect(await vetted(details)).toMatchObject({ status: 'APPROVED', rejection_reasons: [] });
  });

  it('lists every reason, and approves what was corrected and submitted again', async () => {
    const rejected = await vetted({ ein: null, street_address: 'PO Box 1', website: 'x' });
    expect(rejected.rejection_reasons).toHaveLength(3);
    dataOf(await update(client, { ein: '12-3456789', ...GOOD }));
    dataOf(await submit(client, {}, BY_SUBMISSION));
    await sandbox.clock.advance('40s');
    expect(await enterpriseOf(client)).toMatchObject({ status: 'APPROVED', rejection_reasons: [] });
  });

  it('rejects a wrong document as the letter, whatever type it was declared', async () => {
    dataOf(await draft(client), 201);
    const { document_id } = dataOf(await upload(client, 'a picture'), 201);
    await sandbox.clock.advance('5s');
    dataOf(await submit(client, { loa_document_id: document_id }, BY_SUBMISSION));
    await sandbox.clock.advance('40s');
    expect((await enterpriseOf(client)).rejection_reasons).toEqual([
      'The Letter of Authorization is not a PDF document.',
    ]);
    const signed = dataOf(await upload(client, '%PDF-1.7 signed'), 201).document_id;
    await sandbox.clock.advance('5s');
    dataOf(await submit(client, { loa_document_id: signed }, BY_SUBMISSION));
    await sandbox.clock.advance('40s');
    expect((await enterpriseOf(client)).status).toBe('APPROVED');
  });

  it('is not the default: the same submission is approved without it', async () => {
    dataOf(await draft(client, { legal_name: 'Harbor Street Dental' }), 201);
    dataOf(await sign(client));
    await sandbox.clock.advance('40s');
    expect((await enterpriseOf(client)).status).toBe('APPROVED');
  });

  it('says so in the journal, and in one event', async () => {
    await vetted({ ein: null });
    const { data } = (await client.get('/_sandbox/events?event_type=enterprise.status.updated')).body;
    expect(data.map(({ payload }: Answer['body']) => payload.rejection_reasons)).toEqual([['The EIN is missing.']]);
  });
});
