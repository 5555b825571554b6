// Fixtures and what is assumed: `interface.md` section 1 (`--fixtures`), section 2 (fixture times are offsets from the
// world's start), section 9 (the assumption ledger), and `GET /_sandbox/catalog` with the tables of `spec.md` "Errors",
// "Event types" and "Authentication".
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';

const folderOf = temporaryFolders();
const opened: Sandbox[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function open(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({ clock: 'manual', ...options });
  opened.push(sandbox);
  return sandbox;
}

const head = 'organization: { name: Garage, slug: garage, plan: small }\nuser: { name: U, email: u@garage.example }\n';
const own = `${head}keys: [{ key: svc_garage }]\n`;
/** A fixture from which one can dial. */
const dialling = `${own}phone_numbers: [{ id: 9190, phone_number: "+14155550190", created: -1d }]
caller_ids: [{ phone_number: "+14155550190", status: VERIFIED, created: -1d }]
`;
const fileOf = (text: string, name = 'garage.yaml'): string => join(folderOf({ [name]: text }), name);
const organizationOf = async (client: Client): Promise<string> =>
  (await client.get('/v1/account')).body.data.organization.name;

describe('a fixture file', () => {
  it('takes the place of the default one, for the default world and those made from it', async () => {
    const { url } = await open({ fixtures: fileOf(dialling) });
    expect(await organizationOf(clientOf(url, 'svc_garage'))).toBe('Garage');
    expect(await organizationOf(clientOf(url, 'svc_test_default'))).toBe('Garage');
    const fresh = clientOf(url, 'svc_test_fresh');
    expect(await organizationOf(fresh)).toBe('Garage');
    expect((await fresh.dial('+12125550101')).status).toBe(202);
    expect((await fresh.get('/v1/phone-numbers')).body.data.map(({ id }: { id: number }) => id)).toEqual([9190]);
    expectError(await clientOf(url).get('/v1/account'), 401, 'unauthorized');
  });

  it('leaves the other bundled worlds as they are', async () => {
    const { url } = await open({ fixtures: fileOf(own) });
    expect(await organizationOf(clientOf(url, 'svc_sandbox_other'))).toBe('Quayside Motors');
    expect(await organizationOf(clientOf(url, 'svc_sandbox_hipaa'))).toBe('Larkspur Clinic');
  });

  it('may be JSON', async () => {
    const text = JSON.stringify({
      organization: { name: 'Garage', slug: 'garage', plan: 'small' },
      user: { name: 'U', email: 'u@garage.example' },
      keys: [{ key: 'svc_garage' }],
    });
    const { url } = await open({ fixtures: fileOf(text, 'garage.json') });
    expect(await organizationOf(clientOf(url, 'svc_garage'))).toBe('Garage');
  });

  it('may have any name that ends in .yaml, .yml or .json', async () => {
    for (const name of ['our_fixture.yaml', 'Our Fixture.yml', 'fixture.v2.json']) {
      const { url } = await open({ fixtures: fileOf(own, name) });
      expect(await organizationOf(clientOf(url, 'svc_garage')), name).toBe('Garage');
    }
  });

  it('gives the handle of the library a key that works', async () => {
    const sandbox = await open({ fixtures: fileOf(own) });
    expect((await clientOf(sandbox.url, sandbox.apiKey).get('/v1/account')).status).toBe(200);
  });

  it('gives keys their scopes, their rate and their end', async () => {
    const { url } = await open({
      fixtures: fileOf(`${head}keys:
  - { key: svc_usual }
  - { key: svc_everything, scopes: all }
  - { key: svc_reader, scopes: ["calls:read"] }
  - { key: svc_trial, is_demo: true }
  - { key: svc_gone, revoked: true }
`),
    });
    const usual = (await clientOf(url, 'svc_usual').get('/v1/me')).body.data.scopes;
    const everything = (await clientOf(url, 'svc_everything').get('/v1/me')).body.data.scopes;
    expect(everything.filter((scope: string) => !usual.includes(scope))).toEqual(['compliance:write']);
    expect((await clientOf(url, 'svc_reader').get('/v1/calls')).status).toBe(200);
    expectError(await clientOf(url, 'svc_reader').get('/v1/agents'), 403, 'scope_missing');
    const trial = await clientOf(url, 'svc_trial').get('/v1/account');
    expect(trial.headers['x-ratelimit-limit']).toBe('120');
    expect(trial.body.data.is_demo).toBe(true);
    expectError(await clientOf(url, 'svc_gone').get('/v1/account'), 401, 'unauthorized');
  });

  it('may cap the calls that a number carries at once; without it a number carries any number', async () => {
    const capped = dialling.replace('id: 9190,', 'id: 9190, max_calls: 2,');
    const { url } = await open({ fixtures: fileOf(capped) });
    const client = clientOf(url, 'svc_garage');
    await client.call('+12125550108');
    await client.call('+12125550108');
    const answer = await client.dial('+12125550108');
    expectError(answer, 429, 'no_number_available');
    expect(answer.body.error.category).toBe('account_limit');
    const open_ = clientOf((await open({})).url);
    for (let n = 0; n < 20; n++) await open_.call('+12125550108');
  });

  it('may have documents, remediations and numbers with a spam risk', async () => {
    const more = `documents:
  - { id: doc_one, filename: one.txt, content_type: text/plain, content: One., created: -2d }
  - { id: doc_two, filename: two.txt, content_type: text/plain, content: Two., status: denied, created: -1d }
remediations:
  - { submitted: -2d, lasted: 1h, numbers: [{ phone_number: "+14155550190", outcome: refused }] }
`;
    const { url } = await open({
      fixtures: fileOf(dialling.replace('id: 9190,', 'id: 9190, spam_risk: high,') + more),
    });
    const client = clientOf(url, 'svc_garage');
    const documentOf = async (id: string): Promise<Answer['body']> =>
      (await client.get(`/v1/caller-trust/documents/${id}`)).body.data;
    expect(await documentOf('doc_one')).toMatchObject({ status: 'verified', av_scan_status: 'scanned' });
    expect(await documentOf('doc_two')).toMatchObject({ status: 'denied', av_scan_status: 'infected' });
    expect((await client.get('/_sandbox/documents/doc_one/content')).text).toBe('One.');
    const [number] = (await client.get('/v1/caller-trust/reputation/numbers')).body.data;
    expect(number.spam_risk).toBe('high');
    const [remediation] = (await client.get('/v1/caller-trust/reputation/remediations')).body.data;
    expect(remediation).toMatchObject({
      status: 'completed',
      submitted_at: '2026-01-03T15:00:00.000Z',
      completed_at: '2026-01-03T16:00:00.000Z',
      numbers: [{ phone_number: '+14155550190', outcome: 'refused' }],
    });
  });

  it('may be large: nothing of it is left out of a count or a list', async () => {
    const times = (count: number, row: (at: number) => object): object[] =>
      Array.from({ length: count }, (_, at) => row(at));
    const number = (at: number): string => `+1212556${String(at).padStart(4, '0')}`;
    const text = JSON.stringify({
      organization: { name: 'Garage', slug: 'garage', plan: 'small' },
      user: { name: 'U', email: 'u@garage.example' },
      keys: times(10_001, (at) => ({ key: `svc_garage_${at}` })),
      phone_numbers: times(1001, (at) => ({ id: at + 1, phone_number: number(at), created: '-1d' })),
    });
    const { url } = await open({ fixtures: fileOf(text, 'garage.json') });
    const client = clientOf(url, 'svc_garage_10000');
    expect((await client.get('/v1/account')).body.data.footprint.phone_numbers).toBe(1001);
    expect((await client.get('/_sandbox/keys?page_size=1')).body.meta.total_results).toBe(10_001);
  });

  it('may have calls that have ended, each in its own way', async () => {
    const ends: readonly [outcome: string, status: string, failure: string | null][] = [
      ['answered', 'COMPLETED', null],
      ['voicemail', 'VOICEMAIL', 'voicemail_reached'],
      ['no_answer', 'NO_ANSWER', 'no_answer'],
      ['call_declined', 'FAILED', 'call_declined'],
      ['canceled', 'CANCELED', null],
      ['busy', 'BUSY', 'busy'],
      ['number_unreachable', 'FAILED', 'number_unreachable'],
      ['carrier_rejected', 'FAILED', 'carrier_rejected'],
    ];
    const calls = ends.map(
      ([outcome], n) =>
        `  - { from: "+14155550190", to: "+14155550170", placed: -${n + 1}h, outcome: ${outcome}, ring: 4s, talk: 60s }\n`,
    );
    const { url } = await open({ fixtures: fileOf(`${dialling}calls:\n${calls.join('')}`) });
    const client = clientOf(url, 'svc_garage');
    const listed = (await client.get('/v1/calls')).body.data;
    expect(listed.map(({ started_at }: { started_at: string }) => started_at)).toEqual(
      ends.map((_, n) => new Date(Date.parse('2026-01-05T15:00:00.000Z') - (n + 1) * 3_600_000).toISOString()),
    );
    for (const [n, [outcome, status, failure_code]] of ends.entries()) {
      const call = await client.readCall(listed[n].id);
      expect(call, outcome).toMatchObject({ status, failure_code, phone_number_id: '9190' });
      const transcript = await client.get(`/v1/calls/${call.id}/transcript`);
      expect(transcript.status, outcome).toBe(outcome === 'answered' ? 200 : 404);
      if (outcome === 'answered') expect(call).toMatchObject({ duration_seconds: 60, has_recording: true });
    }
  });
});

describe('the enterprise of a fixture', () => {
  const letter = `documents:
  - { id: doc_loa, filename: loa.txt, content_type: text/plain, content: Signed., created: -9d }
`;
  const vetted = (more: string): string => `${dialling}${letter}enterprises:
  - legal_name: Garage LLC
    dba: The Garage
    submitted: -8d
    decided: -7d
    loa_document: doc_loa
    details: { ein: 12-3456789, city: Springfield }
    ${more}
`;
  const enterpriseOf = async (client: Client): Promise<Answer['body']> =>
    (await client.get('/v1/caller-trust/enterprise')).body.data;

  it('may be approved, and then brands its caller IDs', async () => {
    const identities = `display_identities:
  - { display_name: Old Garage, call_reasons: [Repair], created: -6d }
  - { display_name: The Garage, call_reasons: [Repair, Pick-up], created: -5d, lasted: 1h }
`;
    const { url } = await open({ fixtures: fileOf(vetted('status: APPROVED') + identities) });
    const client = clientOf(url, 'svc_garage');
    const enterprise = await enterpriseOf(client);
    expect(enterprise).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      carrier_enterprise_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      legal_name: 'Garage LLC',
      dba: 'The Garage',
      status: 'APPROVED',
      rejection_reasons: [],
      synced_at: '2025-12-29T15:00:00.000Z',
      loa_document_id: 'doc_loa',
      reputation: {
        status: 'approved',
        check_frequency: 'business_daily',
        rejection_reasons: [],
        last_synced_at: '2025-12-29T15:00:00.000Z',
      },
    });
    const { data } = (await client.get('/v1/caller-trust/display-identities')).body;
    expect(data.map((each: Answer['body']) => [each.display_name, each.enterprise_id, each.updated_at])).toEqual([
      ['The Garage', enterprise.id, '2025-12-31T16:00:00.000Z'],
      ['Old Garage', enterprise.id, '2025-12-30T15:01:00.000Z'],
    ]);
    const [callerId] = (await client.get('/v1/caller-ids')).body.data;
    expect(callerId).toMatchObject({ rcd_display_name: 'The Garage', rcd_status: 'approved' });
    const fresh = clientOf(url, 'svc_test_fresh');
    expect(await enterpriseOf(fresh)).toEqual(enterprise);
    expect((await fresh.get('/v1/account')).body.data.footprint.own_brand_enterprise).toBe(true);
  });

  it('may be rejected, and is mended, submitted and approved as any other', async () => {
    const sandbox = await open({
      fixtures: fileOf(vetted('status: REJECTED\n    rejection_reasons: [The EIN is unknown.]')),
    });
    const client = clientOf(sandbox.url, 'svc_garage');
    expect(await enterpriseOf(client)).toMatchObject({
      status: 'REJECTED',
      rejection_reasons: ['The EIN is unknown.'],
      reputation: { status: 'rejected', rejection_reasons: ['The EIN is unknown.'] },
    });
    const { carrier_enterprise_id } = await enterpriseOf(client);
    expect((await client.patch('/v1/caller-trust/enterprise', { ein: '98-7654321' })).status).toBe(200);
    expect((await client.post('/v1/caller-trust/enterprise/submit', {})).status).toBe(200);
    await sandbox.clock.advance('1m');
    expect(await enterpriseOf(client)).toMatchObject({ status: 'APPROVED', carrier_enterprise_id });
  });

  it('may be a draft', async () => {
    const { url } = await open({ fixtures: fileOf(`${own}enterprises: [{ legal_name: Garage LLC }]\n`) });
    const client = clientOf(url, 'svc_garage');
    expect(await enterpriseOf(client)).toMatchObject({ status: 'DRAFT', synced_at: null, reputation: null });
    expect((await client.get('/v1/account')).body.data.footprint.own_brand_enterprise).toBe(false);
  });

  it('may be that of a sub-entity, beside that of the organization', async () => {
    const two = `${own}sub_entities: [{ slug: tyres, name: Tyres, created: -9d }]
enterprises: [{ legal_name: Garage LLC }, { legal_name: Tyres LLC, owner: tyres }]
`;
    const { url } = await open({ fixtures: fileOf(two) });
    const client = clientOf(url, 'svc_garage');
    const [child] = (await client.get('/v1/sub-entities')).body.data;
    const key = (await client.post('/_sandbox/keys', { organization_id: child.id })).body.data.api_key;
    const names = [client, clientOf(url, key)].map(async (each) => (await enterpriseOf(each)).legal_name);
    expect(await Promise.all(names)).toEqual(['Garage LLC', 'Tyres LLC']);
  });

  it.each([
    [
      'approved without having been submitted',
      'status: APPROVED',
      ['    submitted: -8d\n', ''],
      'submitted',
      'required',
    ],
    ['approved without an LOA', 'status: APPROVED', ['    loa_document: doc_loa\n', ''], 'loa_document', 'required'],
    [
      'with an LOA that there is not',
      'status: APPROVED',
      ['loa_document: doc_loa', 'loa_document: x'],
      'loa_document',
      'x',
    ],
    ['decided before it was submitted', 'status: APPROVED', ['decided: -7d', 'decided: -9d'], 'decided', 'earlier'],
    ['rejected without reasons', 'status: REJECTED', ['', ''], 'rejection_reasons', 'REJECTED'],
    [
      'approved with reasons',
      'status: APPROVED\n    rejection_reasons: [No.]',
      ['', ''],
      'rejection_reasons',
      'REJECTED',
    ],
    ['submitted, yet a draft', 'status: DRAFT', ['', ''], 'submitted', 'DRAFT'],
    ['in vetting, which nothing would end', 'status: PENDING_VETTING', ['', ''], 'status', 'APPROVED'],
    ['with a detail that nobody asks for', 'status: APPROVED', ['city:', 'town:'], 'details.town', 'city'],
  ] as const)('that is %s is refused', async (_, more, [from, to], field, says) => {
    const file = fileOf(vetted(more).replace(from, to));
    const place = new RegExp(`garage.yaml:\\d+: enterprises.0.${field}: .*${says}`);
    await expect(open({ fixtures: file })).rejects.toThrow(place);
  });

  it.each([
    ['two enterprises of one owner', 'enterprises: [{ legal_name: A }, { legal_name: B }]', /enterprises\.1: .*one/],
    [
      'a display identity without an approved enterprise',
      'enterprises: [{ legal_name: A }]\ndisplay_identities: [{ display_name: A, call_reasons: [B], created: -1d }]',
      /display_identities\.0: .*APPROVED/,
    ],
  ])('%s: refused', async (_, text, place) => {
    await expect(open({ fixtures: fileOf(`${own}${text}\n`) })).rejects.toThrow(place);
  });
});

describe('the calls of a fixture', () => {
  const agents = `agents:
  - { name: Desk, created: -9d, agent_type: inbound, greeting: Garage here., voice_id: v, business_name: Garage, business_description: D, system_prompt: P, phone_number: "+14155550190" }
`;
  const spoken = (agent: string): string => `${dialling}${agents}calls:
  - from: "+14155550170"
    to: "+14155550190"
    direction: inbound
    placed: -1h
    outcome: answered
    ring: 2s
    talk: 20s
    agent: ${agent}
    transcript:
      - { role: agent, text: "{greeting}" }
      - { role: user, text: "Is this {business_name}?" }
`;

  it('may name the agent that was on them, and what was said', async () => {
    const { url } = await open({ fixtures: fileOf(spoken('Desk')) });
    const client = clientOf(url, 'svc_garage');
    const [call] = (await client.get('/v1/calls')).body.data;
    expect(call).toMatchObject({ direction: 'inbound', phone_number_id: '9190', duration_seconds: 20 });
    const { data } = (await client.get(`/v1/calls/${call.id}/transcript`)).body;
    expect(data.transcript).toBe('agent: Garage here.\nuser: Is this Garage?');
  });

  it('are refused where they name an agent that there is not, or lines of nobody', async () => {
    await expect(open({ fixtures: fileOf(spoken('Disk')) })).rejects.toThrow(/calls\.0\.agent: .*Disk/);
    const nobody = spoken('Desk').replace('role: user', 'role: someone');
    await expect(open({ fixtures: fileOf(nobody) })).rejects.toThrow(/calls\.0\.transcript/);
  });
});

describe('what a fixture has generated', () => {
  const agent = (name: string, type: string): string =>
    `  - { name: ${name}, created: -9d, agent_type: ${type}, greeting: Garage., voice_id: v, business_name: Garage, business_description: D, system_prompt: P, phone_number: "+14155550190" }\n`;
  const lively = `${dialling}agents:
${agent('Desk', 'inbound')}${agent('Caller', 'outbound')}contacts:
  - { name: Someone Known, phone_number: "+12125550170", created: -9d }
generated:
  days: 3
  time_zone: Europe/Berlin
  calls_a_day: 20
  contacts: 10
  area_codes: { "212": New York }
  services: [{ title: Tyre change, problem: my tyres are worn, lasts: 30m }]
`;

  it('goes by its settings, beside what is written down', async () => {
    const { url } = await open({ fixtures: fileOf(lively) });
    const client = clientOf(url, 'svc_garage');
    const { data: calls } = (await client.get('/v1/calls?page_size=100')).body;
    expect(calls.length).toBeGreaterThan(10);
    for (const call of calls) {
      expect(call.started_at > '2026-01-02T15:00:00.000Z' && call.ended_at < '2026-01-05T15:00:00.000Z').toBe(true);
    }
    const { data: contacts } = (await client.get('/v1/contacts?page_size=100')).body;
    expect(contacts.length).toBeLessThanOrEqual(11);
    expect(contacts.map(({ name }: { name: string }) => name)).toContain('Someone Known');
    const numbers = contacts.map(({ phone_number }: { phone_number: string }) => phone_number);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const number of numbers) expect(number).toMatch(/^\+121255501[78]\d$/);
    const bookings = (await client.get('/v1/appointments?page_size=100')).body.data;
    for (const { title, timezone } of bookings) expect([title, timezone]).toEqual(['Tyre change', 'Europe/Berlin']);
  });

  it.each([
    ['more contacts than there are numbers', 'contacts: 10', 'contacts: 21', 'generated.contacts', '20'],
    ['an area code that is none', '"212"', '"911x"', 'generated.area_codes', 'area code'],
    ['no services', /services: .*/, 'services: []', 'generated.services', 'empty'],
    ['a time zone that there is not', 'Europe/Berlin', 'Europe/Atlantis', 'generated.time_zone', 'IANA'],
    ['no agent who takes calls', 'agent_type: inbound', 'agent_type: outbound', 'generated', 'inbound'],
    ['no agent who makes calls', 'agent_type: outbound', 'agent_type: inbound', 'generated', 'outbound'],
    ['weeks without end', 'days: 3', 'days: 61', 'generated.days', '60'],
  ] as const)('is refused with %s', async (_, from, to, field, says) => {
    const file = fileOf(lively.replace(from, to));
    await expect(open({ fixtures: file })).rejects.toThrow(new RegExp(`garage.yaml:\\d+: ${field}[^:]*: .*${says}`));
  });
});

describe('a folder of fixtures', () => {
  it('makes a world of each file, beside the bundled ones', async () => {
    const folder = folderOf({
      'garage.yaml': own,
      'tyre-shop.yml': own.replaceAll('Garage', 'Tyres').replace('svc_garage', 'svc_tyres'),
      'notes.txt': 'no fixture',
    });
    const { url } = await open({ fixtures: folder });
    const garage = clientOf(url, 'svc_garage');
    expect((await garage.get('/v1/account')).headers['x-sandbox-world']).toBe('garage');
    expect(await organizationOf(clientOf(url, 'svc_tyres'))).toBe('Tyres');
    expect(await organizationOf(clientOf(url))).toBe('Harbor Street Dental');
    const worlds = (await garage.get('/_sandbox/worlds')).body.data;
    expect(worlds.map(({ name, origin }: { name: string; origin: string }) => `${name} ${origin}`).sort()).toEqual([
      'default bundled',
      'demo bundled',
      'garage bundled',
      'hipaa bundled',
      'other bundled',
      'regulated bundled',
      'tyre-shop bundled',
    ]);
  });

  it("takes the place of bundled ones by a file's name", async () => {
    const folder = folderOf({ 'default.yaml': own, 'other.yaml': own.replace('svc_garage', 'svc_sandbox_other') });
    const { url } = await open({ fixtures: folder });
    expect(await organizationOf(clientOf(url, 'svc_garage'))).toBe('Garage');
    expect(await organizationOf(clientOf(url, 'svc_test_fresh'))).toBe('Garage');
    expect(await organizationOf(clientOf(url, 'svc_sandbox_other'))).toBe('Garage');
    expect(await organizationOf(clientOf(url, 'svc_sandbox_hipaa'))).toBe('Larkspur Clinic');
  });

  it("has worlds that their test key means, too, and that share none of one another's records", async () => {
    const folder = folderOf({ 'garage.yaml': dialling, 'copy.yaml': dialling.replace('svc_garage', 'svc_copy') });
    const { url } = await open({ fixtures: folder });
    const garage = clientOf(url, 'svc_garage');
    const id = await garage.call('+12125550101');
    expect((await clientOf(url, 'svc_test_garage').readCall(id)).id).toBe(id);
    expectError(await clientOf(url, 'svc_copy').get(`/v1/calls/${id}`), 404, 'not_found');
  });

  it('offers its fixtures to worlds that are posted; another name is 400 with those that there are', async () => {
    const { url } = await open({ fixtures: folderOf({ 'garage.yaml': own }) });
    const client = clientOf(url);
    const posted = await client.post('/_sandbox/worlds', { name: 'workshop', fixtures: 'garage' });
    expect(posted.status, posted.text).toBe(201);
    expect(await organizationOf(clientOf(url, posted.body.data.api_key))).toBe('Garage');
    const refused = await client.post('/_sandbox/worlds', { name: 'elsewhere', fixtures: 'garag' });
    expectError(refused, 400, 'validation_error');
    for (const name of ['garage', 'default', 'hipaa']) expect(refused.body.error.fields.fixtures).toContain(name);
  });

  it('with one broken file refuses the start, naming that file', async () => {
    const folder = folderOf({ 'garage.yaml': own, 'zoo.yaml': `${head}contacts: 7\n` });
    await expect(open({ fixtures: folder })).rejects.toThrow(`${join(folder, 'zoo.yaml')}:3: contacts: `);
  });

  it('in which two worlds would have the same key refuses the start, naming the key', async () => {
    const twice = folderOf({ 'garage.yaml': own, 'zoo.yaml': own });
    await expect(open({ fixtures: twice })).rejects.toThrow(
      `${join(twice, 'zoo.yaml')}:3: keys.0.key: "svc_garage" is already a key of the world garage`,
    );
    const bundled = folderOf({ 'garage.yaml': own.replace('svc_garage', 'svc_sandbox_default') });
    await expect(open({ fixtures: bundled })).rejects.toThrow('svc_sandbox_default');
  });

  it('in which the file of a bundled name takes the key of another bundled one names that file and line', async () => {
    const text = `${head}keys:\n  - key: svc_garage\n  - key: svc_sandbox_demo\n`;
    const folder = folderOf({ 'default.yaml': text });
    await expect(open({ fixtures: folder })).rejects.toThrow(
      `${join(folder, 'default.yaml')}:5: keys.1.key: "svc_sandbox_demo" is already a key of the world demo`,
    );
  });

  it.each([
    ['Default.yaml', { 'Default.yaml': own }, '"Default" is not a valid world name: 1 to 40 of a-z, 0-9 and -'],
    [
      'a second file of one world',
      { 'garage.json': own, 'garage.yaml': own },
      'garage.json already defines the world garage',
    ],
  ])('with %s refuses the start, naming it', async (_, files, reason) => {
    const folder = folderOf(files);
    await expect(open({ fixtures: folder })).rejects.toThrow(`${folder}/`);
    await expect(open({ fixtures: folder })).rejects.toThrow(reason);
  });

  it('may hold what an editor leaves beside a file, and what is no fixture by its name', async () => {
    const folder = folderOf({
      'garage.yaml': own,
      'garage.yaml~': '[',
      '.#garage.yaml': '[',
      'README.md': 'Ours.',
      'old.yaml/a.txt': '',
    });
    const { url } = await open({ fixtures: folder });
    expect(await organizationOf(clientOf(url, 'svc_garage'))).toBe('Garage');
  });

  it('may name scenarios of a folder in its calls', async () => {
    const scenarios = folderOf({ 'own_line.yaml': 'kind: call\nsummary: Our own.\nextends: answered\n' });
    const fixtures = fileOf(
      `${dialling}calls: [{ from: "+14155550190", to: "+14155550170", placed: -1h, outcome: busy, scenario: own_line }]\n`,
    );
    await open({ scenarios, fixtures });
    await expect(open({ fixtures })).rejects.toThrow(`${fixtures}:6: calls.0.scenario: "own_line" is not a scenario`);
  });
});

describe('what is broken in a fixture', () => {
  const number = 'phone_numbers:\n  - id: 1\n    phone_number: "+14155550190"\n    created: -1d\n';
  const callerId = 'caller_ids:\n  - phone_number: "+14155550190"\n    created: -1d\n    status: VERIFIED\n';
  const agent =
    'agents:\n  - name: A\n    created: -1d\n    agent_type: inbound\n    greeting: G\n    voice_id: v\n    business_name: B\n    business_description: D\n    system_prompt: P\n';
  const call =
    'calls:\n  - from: "+14155550190"\n    to: "+14155550170"\n    placed: -1h\n    outcome: answered\n    ring: 4s\n';
  const booking =
    'appointments:\n  - title: T\n    contact_name: C\n    starts: 2h\n    timezone: Europe/Berlin\n    created: -1d\n';

  /** What stands below the first two lines, where that is wrong, and a word of the reason. */
  const broken: readonly [what: string, text: string, line: number, field: string, says: string][] = [
    [
      'an assumption that there is not',
      'assumptions:\n  dial_envelope: data\n',
      4,
      'assumptions.dial_envelope',
      'dial_response_envelope',
    ],
    [
      'an assumption with another value',
      'assumptions:\n  dial_response_envelope: none\n',
      4,
      'assumptions.dial_response_envelope',
      'flat, data',
    ],
    [
      'an assumption that is not to be set',
      'assumptions:\n  timestamps: seconds\n',
      4,
      'assumptions.timestamps',
      'cannot be set',
    ],
    ['a number out of its range', 'assumptions:\n  concurrent_calls: 0\n', 4, 'assumptions.concurrent_calls', 'from 1'],
    ['a key of another form', 'keys:\n  - key: sk_live\n', 4, 'keys.0.key', 'svc_'],
    ['a key that would mean a world', 'keys:\n  - key: svc_test_mine\n', 4, 'keys.0.key', 'svc_test_'],
    [
      'a scope that there is not',
      'keys:\n  - key: svc_a\n    scopes:\n      - calls:read\n      - calls:raed\n',
      7,
      'keys.0.scopes.1',
      'scope',
    ],
    ['a key that stands twice', 'keys:\n  - key: svc_a\n  - key: svc_a\n', 5, 'keys.1.key', 'more than once'],
    ['a flag that is none', 'keys:\n  - key: svc_a\n    revoked: no way\n', 5, 'keys.0.revoked', 'a boolean'],
    [
      'a time that is none',
      'sub_entities:\n  - slug: s\n    name: S\n    created: yesterday\n',
      6,
      'sub_entities.0.created',
      'duration',
    ],
    [
      'a slug that stands twice',
      'sub_entities:\n  - { slug: s, name: S, created: -1d }\n  - { slug: s, name: T, created: -1d }\n',
      5,
      'sub_entities.1.slug',
      'more than once',
    ],
    ['an id that is none', number.replace('id: 1', 'id: one'), 4, 'phone_numbers.0.id', 'number'],
    [
      'a number that is no E.164',
      number.replace('+14155550190', '415 555 0190'),
      5,
      'phone_numbers.0.phone_number',
      'E.164',
    ],
    [
      'a number without its quotes',
      number.replace('"+14155550190"', '+14155550190'),
      5,
      'phone_numbers.0.phone_number',
      'quotes',
    ],
    ['a status that there is not', `${number}    status: active\n`, 7, 'phone_numbers.0.status', 'ACTIVE'],
    [
      'a texting status that there is not',
      `${number}    texting_status: yes\n`,
      7,
      'phone_numbers.0.texting_status',
      'approved',
    ],
    ['a cap of nothing', `${number}    max_calls: 0\n`, 7, 'phone_numbers.0.max_calls', '0'],
    [
      'an id that stands twice',
      `${number}  - id: 1\n    phone_number: "+14155550191"\n    created: -1d\n`,
      7,
      'phone_numbers.1.id',
      'more than once',
    ],
    [
      'a number that stands twice',
      `${number}  - id: 2\n    phone_number: "+14155550190"\n    created: -1d\n`,
      8,
      'phone_numbers.1.phone_number',
      'more than once',
    ],
    ['an owner that there is not', `${number}    owner: nobody\n`, 7, 'phone_numbers.0.owner', 'sub_entities'],
    [
      'a state of a caller ID that there is not',
      callerId.replace('VERIFIED', 'PENDING'),
      6,
      'caller_ids.0.status',
      'PENDING_VERIFICATION',
    ],
    [
      'a caller ID that stands twice',
      `${callerId}  - phone_number: "+14155550190"\n    created: -1d\n    status: REVOKED\n`,
      7,
      'caller_ids.1.phone_number',
      'more than once',
    ],
    ['a type of agent that there is not', agent.replace('inbound', 'both'), 6, 'agents.0.agent_type', 'outbound'],
    ['an agent without a greeting', agent.replace('    greeting: G\n', ''), 4, 'agents.0.greeting', ''],
    ['an outcome that there is not', call.replace('answered', 'hung_up'), 7, 'calls.0.outcome', 'voicemail'],
    ['a time before a ring', call.replace('ring: 4s', 'ring: -4s'), 8, 'calls.0.ring', 'duration'],
    ['a scenario that there is not', `${call}    scenario: answred\n`, 9, 'calls.0.scenario', 'did you mean answered?'],
    [
      'a scenario of another kind',
      `${call}    scenario: provisioned\n`,
      9,
      'calls.0.scenario',
      'is not a scenario of calls',
    ],
    ['a contact without a name', 'contacts:\n  - created: -1d\n', 4, 'contacts.0.name', ''],
    [
      'metadata that is no object',
      'contacts:\n  - name: C\n    created: -1d\n    metadata: text\n',
      6,
      'contacts.0.metadata',
      'an object',
    ],
    ['a booking without a time', booking.replace('    starts: 2h\n', ''), 4, 'appointments.0.starts', ''],
    ['a booking that lasts no duration', `${booking}    lasts: an hour\n`, 9, 'appointments.0.lasts', 'duration'],
    ['a section that is no list', 'contacts: 7\n', 3, 'contacts', 'an array'],
  ];

  it.each(broken)('%s is said with file, line, field and reason', async (_, text, line, field, says) => {
    const file = fileOf(head + text);
    const message = await refusalOf(file);
    expect(message.split('\n')).toHaveLength(1);
    expect(message).toContain(`${file}:${line}: ${field}: `);
    expect(message.slice(file.length)).toContain(says);
  });

  it.each([
    ['no organization', 'user: { name: U, email: u@garage.example }\n', 1, /organization: ./],
    [
      'an organization without a plan',
      'organization:\n  name: G\n  slug: g\nuser: { name: U, email: u@garage.example }\n',
      2,
      /organization\.plan: ./,
    ],
    [
      'a user without an address',
      'organization: { name: G, slug: g, plan: p }\nuser:\n  name: U\n',
      3,
      /user\.email: ./,
    ],
    ['bad YAML', `${head}contacts:\n  - name: [\n`, 5, /./],
    ['a section that stands twice', `${head}keys: []\nkeys: []\n`, 4, /"keys" appears more than once/],
    ['an alias that names nothing', `${head}contacts: *them\n`, 3, /\*them refers to an anchor that is not defined/],
    ['an alias within what it names', `${head}contacts: &them [*them]\n`, 3, /\*them is part of/],
    ['an array as a key', `${head}? [a, b]\n: 1\n`, 3, /a key must be a string/],
    ['nothing', '', 1, /object/],
    ['a list', '- 1\n', 1, /object/],
  ])('%s is said with file, line and reason', async (_, text, line, reason) => {
    const file = fileOf(text);
    const message = await refusalOf(file);
    expect(message).toContain(`${file}:${line}: `);
    expect(message.slice(`${file}:${line}: `.length)).toMatch(reason);
  });

  it.each([
    ['a section', `${head}keys: []\nphone_number: []\n`, 4, 'phone_number'],
    ['a field of a record', `${head}${number}    nmae: Front desk\n`, 7, 'nmae'],
    ['a field of the organization', head.replace('plan: small', 'plan: small, paln: x'), 1, 'paln'],
  ])('%s that there is not is said with its own line and name', async (_, text, line, name) => {
    const file = fileOf(text);
    const message = await refusalOf(file);
    expect(message).toContain(`${file}:${line}: `);
    expect(message).toContain(name);
  });

  it('a file that is neither YAML nor JSON by its name is refused, saying which it may be', async () => {
    expect(await refusalOf(fileOf(own, 'garage.txt'))).toMatch(/garage\.txt.*\.yaml/);
  });

  async function refusalOf(fixtures: string): Promise<string> {
    try {
      await open({ fixtures });
      return `it started with ${readFileSync(fixtures, 'utf8')}`;
    } catch (error) {
      return (error as Error).message;
    }
  }
});

describe('fixture times', () => {
  const dated = `${dialling}agents:
  - name: A
    created: -80d
    agent_type: inbound
    greeting: G
    voice_id: v
    business_name: B
    business_description: D
    system_prompt: P
calls:
  - { from: "+14155550190", to: "+14155550170", placed: -49h, outcome: answered, ring: 6s, talk: 95s }
contacts: [{ name: C, created: -90m }]
appointments: [{ title: T, contact_name: C, starts: 26h, lasts: 45m, timezone: Europe/Berlin, created: -500ms }]
`;

  /** Every time of the fixture, as offsets from an instant. */
  async function offsets(client: Client, from: number): Promise<Record<string, number>> {
    const fire = async (event_type: string): Promise<Answer['body']> =>
      (await client.post('/_sandbox/events', { event_type })).body.data.payload;
    const [agent] = (await client.get('/v1/agents')).body.data;
    const [number] = (await client.get('/v1/phone-numbers')).body.data;
    const [call] = (await client.get('/v1/calls')).body.data;
    const contact = await fire('contact_created');
    const booking = await fire('new_appointment');
    const times = {
      agent: agent.created_at,
      number: number.created_at,
      placed: call.started_at,
      ended: call.ended_at,
      contact: contact.created_at,
      booked: booking.created_at,
      starts: booking.start_time,
      ends: booking.end_time,
    };
    return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, Date.parse(time) - from]));
  }
  const hour = 3_600_000;
  const expected = {
    agent: -80 * 24 * hour,
    number: -24 * hour,
    placed: -49 * hour,
    ended: -49 * hour + 6000 + 95_000,
    contact: -90 * 60_000,
    booked: -500,
    starts: 26 * hour,
    ends: 26 * hour + 45 * 60_000,
  };

  it('are offsets from --start on a standing clock, in every world', async () => {
    const start = '2031-05-06T07:08:09.010Z';
    const { url } = await open({ fixtures: fileOf(dated), start });
    expect(await offsets(clientOf(url, 'svc_garage'), Date.parse(start))).toEqual(expected);
    expect(await offsets(clientOf(url, 'svc_test_fresh'), Date.parse(start))).toEqual(expected);
  });

  it('stay where they are while time goes, and after a reset', async () => {
    const sandbox = await open({ fixtures: fileOf(dated) });
    const client = clientOf(sandbox.url, 'svc_garage');
    const start = Date.parse('2026-01-05T15:00:00.000Z');
    await sandbox.clock.advance('3d');
    expect(await offsets(client, start)).toEqual(expected);
    await sandbox.reset();
    expect(await offsets(client, start)).toEqual(expected);
  });

  it("are offsets from the machine's time on a running clock, and from the reset after one", async () => {
    const before = Date.now();
    const sandbox = await open({ fixtures: fileOf(dated), clock: 'real' });
    const client = clientOf(sandbox.url, 'svc_garage');
    const startOf = async (): Promise<number> => {
      const [call] = (await client.get('/v1/calls')).body.data;
      return Date.parse(call.started_at) + 49 * hour;
    };
    const start = await startOf();
    expect(start).toBeGreaterThanOrEqual(before);
    expect(start).toBeLessThanOrEqual(Date.now());
    expect(await offsets(client, start)).toEqual(expected);
    const reset = Date.now();
    await sandbox.reset();
    expect(await startOf()).toBeGreaterThanOrEqual(reset);
    expect(await offsets(client, await startOf())).toEqual(expected);
  });

  it('are offsets from the start of a posted world, whenever that was', async () => {
    const sandbox = await open({ fixtures: folderOf({ 'garage.yaml': dated }), clock: 'real' });
    const before = Date.now();
    await clientOf(sandbox.url).post('/_sandbox/worlds', { name: 'workshop', fixtures: 'garage' });
    const client = clientOf(sandbox.url, 'svc_test_workshop');
    const [call] = (await client.get('/v1/calls')).body.data;
    const start = Date.parse(call.started_at) + 49 * hour;
    expect(start).toBeGreaterThanOrEqual(before);
    expect(start).toBeLessThanOrEqual(Date.now());
  });
});

describe('assumptions', () => {
  interface Shown {
    readonly name: string;
    readonly value: string | number;
    readonly default: string | number;
    readonly allowed: readonly (string | number)[] | { readonly minimum: number; readonly maximum: number } | null;
    readonly words: string;
  }
  const ledgerOf = async (client: Client): Promise<Shown[]> => (await client.get('/_sandbox/assumptions')).body.data;
  const valueIn = async (client: Client, name: string): Promise<unknown> =>
    (await ledgerOf(client)).find((each) => each.name === name)?.value;
  const set = (client: Client, name: string, value: unknown): Promise<Answer> =>
    client.put(`/_sandbox/assumptions/${name}`, { value } as object);
  const flat = { call_id: expect.any(String), status: 'QUEUED' };

  it('are the defaults of the ledger unless they are set', async () => {
    const { url } = await open({});
    const ledger = await ledgerOf(clientOf(url));
    for (const each of ledger) expect(each.value, each.name).toBe(each.default);
    expect((await clientOf(url).dial('+12125550101')).body).toEqual(flat);
  });

  it('can be set in a fixture file, for the worlds that begin with it', async () => {
    const fixtures = folderOf({
      'garage.yaml': `${dialling}assumptions:\n  dial_response_envelope: data\n  scope_missing_status: 401\n`,
    });
    const { url } = await open({ fixtures });
    const garage = clientOf(url, 'svc_garage');
    expect((await garage.dial('+12125550101')).body).toEqual({ data: flat });
    expect(await valueIn(garage, 'dial_response_envelope')).toBe('data');
    expect(await valueIn(garage, 'scope_missing_status')).toBe(401);
    expect((await clientOf(url).dial('+12125550101')).body).toEqual(flat);
    expect(await valueIn(clientOf(url), 'dial_response_envelope')).toBe('flat');
  });

  it('can be set for a world as it is posted, over its fixture', async () => {
    const fixtures = folderOf({
      'garage.yaml': `${dialling}assumptions:\n  dial_response_envelope: data\n  event_order: disposition_first\n`,
    });
    const { url } = await open({ fixtures });
    const posted = await clientOf(url).post('/_sandbox/worlds', {
      name: 'workshop',
      fixtures: 'garage',
      assumptions: { dial_response_envelope: 'flat', concurrent_calls: 2 },
    });
    const client = clientOf(url, posted.body.data.api_key);
    expect((await client.dial('+12125550108')).body).toEqual(flat);
    expect(await valueIn(client, 'event_order')).toBe('disposition_first');
    await client.call('+12125550108');
    expectError(await client.dial('+12125550108'), 429, 'rate_limited');
    const other = clientOf(url, 'svc_garage');
    for (let n = 0; n < 3; n++) expect((await other.dial('+12125550108')).status).toBe(202);
  });

  it('can be set for a world that is there, and survive its reset', async () => {
    const sandbox = await open({});
    const client = clientOf(sandbox.url);
    const answer = await set(client, 'dial_response_envelope', 'data');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ name: 'dial_response_envelope', value: 'data', default: 'flat' });
    expect((await client.dial('+12125550101')).body).toEqual({ data: flat });
    await sandbox.reset();
    expect((await client.dial('+12125550101')).body).toEqual({ data: flat });
    expect((await clientOf(sandbox.url, 'svc_test_fresh').dial('+12125550101')).body).toEqual(flat);
    await set(client, 'dial_response_envelope', 'flat');
    expect((await client.dial('+12125550101')).body).toEqual(flat);
  });

  it('scope_missing_status decides the status of scope_missing', async () => {
    const { url } = await open({});
    const reader = clientOf(url, 'svc_sandbox_metadata');
    expectError(await reader.dial('+12125550101'), 403, 'scope_missing');
    await set(clientOf(url), 'scope_missing_status', 401);
    expectError(await reader.dial('+12125550101'), 401, 'scope_missing');
    await set(clientOf(url), 'scope_missing_status', '403');
    expectError(await reader.dial('+12125550101'), 403, 'scope_missing');
  });

  it('event_order decides which comes first at the end of a call', async () => {
    const sandbox = await open({});
    const client = clientOf(sandbox.url);
    const order = async (): Promise<string[]> => {
      await client.call('+12125550101');
      await sandbox.clock.untilIdle();
      return (await sandbox.events()).slice(-4).map(({ event_type }) => event_type);
    };
    expect(await order()).toEqual(['new_call', 'call_completed', 'call_busy', 'phone_call.ended']);
    await set(client, 'event_order', 'disposition_first');
    expect(await order()).toEqual(['new_call', 'call_busy', 'call_completed', 'phone_call.ended']);
  });

  it.each([
    ['dial_response_envelope', 'none', 'flat, data'],
    ['dial_response_envelope', 1, 'flat, data'],
    ['event_order', '', 'completed_first'],
    ['concurrent_calls', 0, 'from 1'],
    ['concurrent_calls', 1.5, 'an integer'],
    ['concurrent_calls', '5', 'an integer'],
    ['timestamps', 'seconds', 'cannot be set'],
    ['scope_missing_status', 418, '403'],
  ])('%s is not set to %j, and the refusal says what is allowed', async (name, value, says) => {
    const { url } = await open({});
    const client = clientOf(url);
    const before = await valueIn(client, name);
    const put = await set(client, name, value);
    expectError(put, 400, 'validation_error');
    expect(put.body.error.fields.value).toContain(says);
    expect(await valueIn(client, name)).toBe(before);
    const posted = await client.post('/_sandbox/worlds', { name: 'workshop', assumptions: { [name]: value } });
    expectError(posted, 400, 'validation_error');
    expect(posted.body.error.fields[`assumptions.${name}`]).toContain(says);
    expect((await client.get('/_sandbox/worlds')).body.data).toHaveLength(5);
  });

  it('one that there is not is 404 with the nearest', async () => {
    const { url } = await open({});
    const answer = await set(clientOf(url), 'dial_response_envelop', 'data');
    expectError(answer, 404, 'not_found');
    expect(answer.body.error.message).toContain('did you mean dial_response_envelope?');
  });

  it('the value of concurrent_calls is the one that holds', async () => {
    const { url } = await open({ concurrentCalls: 3 });
    expect(await valueIn(clientOf(url), 'concurrent_calls')).toBe(3);
    expect(await valueIn(clientOf((await open({})).url), 'concurrent_calls')).toBe(100);
  });

  it('concurrent_calls holds in the world that set it, whatever --concurrent-calls is', async () => {
    for (const concurrentCalls of [1, 'off']) {
      const { url } = await open({ concurrentCalls });
      const client = clientOf(url);
      await set(client, 'concurrent_calls', 2);
      const statuses: number[] = [];
      for (let n = 0; n < 3; n++) statuses.push((await client.dial('+12125550108')).status);
      expect(statuses, `--concurrent-calls ${concurrentCalls}`).toEqual([202, 202, 429]);
    }
  });

  it('that can be set have a default which can be set', async () => {
    const { url } = await open({});
    const wrong = (await ledgerOf(clientOf(url))).filter(({ allowed, default: usual }) => {
      if (allowed === null) return false;
      if ('minimum' in allowed) return !(typeof usual === 'number' && usual >= allowed.minimum);
      return !allowed.includes(usual);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('are listed with the words that they stand in for, the decided defaults among them', async () => {
    const { url } = await open({});
    const ledger = await ledgerOf(clientOf(url));
    const names = ledger.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, words } of ledger) expect(words.length, name).toBeGreaterThan(3);
    expect(Object.fromEntries(ledger.map((each) => [each.name, each.default]))).toMatchObject({
      dial_response_envelope: 'flat',
      scope_missing_status: 403,
      transcript_absent: 404,
    });
    expect(names).toEqual(
      expect.arrayContaining([
        'timestamps',
        'extra_error_codes',
        'success_statuses',
        'operation_scopes',
        'call_status_set',
        'call_fields',
        'hangup_status',
        'event_payloads',
        'event_order',
        'extra_event_types',
        'subscription_filters',
        'subscription_response',
        'unknown_body_fields',
        'me',
        'paging',
        'caller_id_states',
        'concurrent_calls',
        'idempotency',
        'body_limits',
        'delivery_policy',
      ]),
    );
  });

  it('are exactly those that the contract marks', async () => {
    const { url } = await open({});
    const contract = await (await fetch(`${url}/openapi.yaml`)).text();
    const marks = [...contract.matchAll(/^[^`\n]*x-assumed: *\[?([a-z_, ]+)\]?/gm)];
    const marked = new Set(marks.flatMap(([, names]) => (names as string).split(',').map((name) => name.trim())));
    expect([...marked].sort()).toEqual((await ledgerOf(clientOf(url))).map(({ name }) => name).sort());
  });

  it('are named in the answers that rest on them', async () => {
    const { url } = await open({});
    const client = clientOf(url);
    const names = new Set((await ledgerOf(client)).map(({ name }) => name));
    const cited = (answer: Answer): string[] => {
      const header = answer.headers['x-sandbox-assumptions'];
      const list = header === undefined ? [] : header.split(', ');
      expect(list.filter((name) => !names.has(name))).toEqual([]);
      return list;
    };
    expect(cited(await client.dial('+12125550101'))).toContain('dial_response_envelope');
    expect(cited(await client.get('/v1/me'))).toContain('me');
    expect(cited(await client.get('/v1/calls'))).toContain('paging');
    expect(cited(await clientOf(url, 'svc_sandbox_metadata').dial('+12125550101'))).toContain('scope_missing_status');
    expect(cited(await clientOf(url, 'svc_nobody').get('/v1/account'))).toEqual([]);
  });
});

describe('the catalogue', () => {
  const catalogue = async (): Promise<Answer['body']> => {
    const { url } = await open({});
    return (await clientOf(url).get('/_sandbox/catalog')).body.data;
  };

  it('has the 18 event types, of which the number lifecycle alone is signed', async () => {
    const { events } = await catalogue();
    expect(events.map(({ event_type }: { event_type: string }) => event_type).sort()).toEqual([
      'call_busy',
      'call_completed',
      'call_failed',
      'call_no_answer',
      'call_voicemail',
      'contact_created',
      'contact_replied',
      'enterprise.status.updated',
      'new_appointment',
      'new_call',
      'number_purchased',
      'number_released',
      'phone_call.ended',
      'sms_delivered',
      'sms_failed',
      'sms_sent',
      'texting_registration_status_changed',
      'workflow_contact_completed',
    ]);
    const signed = events.filter((each: { signed: boolean }) => each.signed);
    expect(signed.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      'number_purchased',
      'number_released',
    ]);
  });

  it("has the scenarios of the library, and those that a world lays over it in that world's alone", async () => {
    const { url } = await open({});
    const [here, there] = [clientOf(url), clientOf(url, 'svc_test_there')];
    await here.put('/_sandbox/scenarios/own_line', {
      kind: 'call',
      summary: 'Our own.',
      numbers: ['60'],
      timeline: [{ after: '1s', trigger: 'busy' }],
    });
    const namesIn = async (client: Client): Promise<string[]> =>
      (await client.get('/_sandbox/catalog')).body.data.scenarios.map(({ name }: { name: string }) => name);
    expect(await namesIn(here)).toEqual([...(await namesIn(there)), 'own_line'].sort());
    const { numbers } = (await here.get('/_sandbox/catalog')).body.data;
    expect(numbers).toContainEqual({ number: '60', scenario: 'own_line', kind: 'call' });
    const listed = (await there.get('/_sandbox/scenarios?page_size=1000')).body.data;
    expect(await namesIn(there)).toEqual(listed.map(({ name }: { name: string }) => name));
  });
});
