// The demo world: `interface.md` section 2 (a rich world to look at; people have numbers 555-0170 to 0189; ids and
// records follow from the seed). What a salesperson shows with its key hangs together: calls, transcripts, recordings,
// contacts, bookings, usage, the enterprise.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts';
import { ENTERPRISE, IDENTITIES } from './support/caller-trust.ts';
import { type Answer, type Client, clientOf } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';
import { build, root } from './support/program.ts';
import { pagesOf, START } from './support/world.ts';

const folderOf = temporaryFolders();

type Shown = Answer['body'];
const DAY = 86_400_000;
const start = Date.parse(START);
const ZONE = 'America/Los_Angeles';

/** Everything of a world, as lists and single records show it. */
interface Records {
  readonly calls: Shown[];
  readonly contacts: Shown[];
  readonly appointments: Shown[];
  readonly agents: Shown[];
  readonly transcripts: ReadonlyMap<string, Shown>;
}

let sandbox: Sandbox;
let client: Client;
let all: Records;

const open = (options: SandboxOptions = {}): Promise<Sandbox> =>
  createSandbox({ clock: 'manual', rateLimit: 'off', ...options });
const listOf = async (by: Client, path: string): Promise<Shown[]> =>
  (await pagesOf(by, path, 100)).flatMap(({ data }) => data);

async function recordsOf(by: Client): Promise<Records> {
  const calls = await listOf(by, '/v1/calls');
  const transcripts = new Map<string, Shown>();
  for (const { id, has_transcript } of calls) {
    if (has_transcript) transcripts.set(id, (await by.get(`/v1/calls/${id}/transcript`)).body.data);
  }
  const agents = await listOf(by, '/v1/agents');
  return {
    calls,
    contacts: await listOf(by, '/v1/contacts'),
    appointments: await listOf(by, '/v1/appointments'),
    agents,
    transcripts,
  };
}

const local = (time: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hourCycle: 'h23', ...options }).format(new Date(time));
const theOther = (call: Shown): string => (call.direction === 'inbound' ? call.from_number : call.to_number);
const isPast = (time: string, by: number): boolean => Date.parse(time) <= by;

beforeAll(async () => {
  sandbox = await open();
  client = clientOf(sandbox.url, 'svc_sandbox_demo');
  all = await recordsOf(client);
});
afterAll(() => sandbox.close());

describe('the calls of the demo world', () => {
  it('are those of the two weeks before its start, newest first, and have all ended', () => {
    expect(all.calls.length).toBeGreaterThan(250);
    const placed = all.calls.map((call) => Date.parse(call.started_at));
    expect(placed).toEqual([...placed].sort((a, b) => b - a));
    expect(placed[0]).toBeGreaterThan(start - 2 * DAY);
    expect(placed.at(-1)).toBeGreaterThanOrEqual(start - 14 * DAY);
    expect(placed.at(-1)).toBeLessThan(start - 13 * DAY);
    for (const call of all.calls) {
      expect(Date.parse(call.ended_at)).toBeGreaterThan(Date.parse(call.started_at));
      expect(Date.parse(call.ended_at)).toBeLessThan(start);
    }
  });

  it('end in every way, most of them with an answer', () => {
    const share = (status: string): number =>
      all.calls.filter((call) => call.status === status).length / all.calls.length;
    expect(share('COMPLETED')).toBeGreaterThan(0.6);
    expect(share('COMPLETED')).toBeLessThan(0.9);
    for (const status of ['VOICEMAIL', 'NO_ANSWER', 'BUSY', 'FAILED', 'CANCELED']) {
      expect(share(status), status).toBeGreaterThan(0);
      expect(share(status), status).toBeLessThan(0.2);
    }
    expect(share('QUEUED') + share('RINGING') + share('IN_PROGRESS')).toBe(0);
  });

  it('come and go in business hours, fewer on Saturdays, hardly any on Sundays and holidays', () => {
    const perDay = new Map<string, number>();
    for (const { started_at } of all.calls) {
      const hour = Number(local(started_at, { hour: '2-digit' }));
      expect(hour).toBeGreaterThanOrEqual(7);
      expect(hour).toBeLessThan(21);
      const day = local(started_at, { weekday: 'short', day: 'numeric', month: 'short' });
      perDay.set(day, (perDay.get(day) ?? 0) + 1);
    }
    const quiet = /Sun|Dec 25|Jan 1$/;
    const [weekdays, saturdays, sundays] = [/Mon|Tue|Wed|Thu|Fri/, /Sat/, quiet].map((form) =>
      [...perDay].filter(([day]) => form.test(day) && (form === quiet || !quiet.test(day))).map(([, count]) => count),
    ) as [number[], number[], number[]];
    expect(weekdays.length).toBeGreaterThanOrEqual(8);
    expect(Math.min(...weekdays)).toBeGreaterThan(Math.max(...saturdays));
    expect(Math.min(...saturdays)).toBeGreaterThan(Math.max(...sundays));
  });

  it('last as long as such calls do', () => {
    const answered = all.calls.filter(({ status }) => status === 'COMPLETED').map((call) => call.duration_seconds);
    expect(Math.min(...answered)).toBeGreaterThanOrEqual(8);
    expect(Math.max(...answered)).toBeLessThan(300);
    expect(new Set(answered).size).toBeGreaterThan(40);
    for (const { status, duration_seconds } of all.calls) {
      if (status === 'VOICEMAIL') expect(duration_seconds).toBeLessThanOrEqual(5);
      else if (status !== 'COMPLETED') expect(duration_seconds).toBe(0);
    }
  });

  it('are with contacts, at numbers that nobody has; who is none yet was not spoken to', () => {
    const known = new Set(all.contacts.map(({ phone_number }) => phone_number));
    for (const call of all.calls) {
      expect(theOther(call)).toMatch(/^\+1[2-9]\d\d55501[78]\d$/);
      if (call.status === 'COMPLETED') expect(known).toContain(theOther(call));
    }
  });

  it('of one person do not overlap', () => {
    const until = new Map<string, number>();
    for (const call of [...all.calls].reverse()) {
      expect(Date.parse(call.started_at)).toBeGreaterThan(until.get(theOther(call)) ?? 0);
      until.set(theOther(call), Date.parse(call.ended_at));
    }
  });

  it('are of every agent, through a number of the account that the agent has', () => {
    const heard = new Set<string>();
    for (const call of all.calls) {
      const transcript = all.transcripts.get(call.id);
      if (!transcript) continue;
      const own = call.direction === 'inbound' ? call.to_number : call.from_number;
      const agent = all.agents.find(
        ({ greeting, phone_number }) =>
          phone_number.phone_number === own &&
          transcript.structured_transcript.some((turn: Shown) => turn.role === 'agent' && turn.text === greeting),
      );
      expect(agent?.agent_type, transcript.transcript).toBe(call.direction);
      heard.add(agent.name);
    }
    expect([...heard].sort()).toEqual(all.agents.map(({ name }) => name).sort());
  });
});

describe('what was said in the demo world', () => {
  it('is there for each answered call and no other, as is the recording', () => {
    for (const { status, has_transcript, has_recording, recording_url } of all.calls) {
      expect(has_transcript).toBe(status === 'COMPLETED');
      expect(has_recording).toBe(status === 'COMPLETED');
      expect(recording_url === null).toBe(!has_recording);
    }
  });

  it('begins when the call was answered and fits into it', () => {
    for (const call of all.calls.filter(({ has_transcript }) => has_transcript)) {
      const turns: Shown[] = all.transcripts.get(call.id)?.structured_transcript;
      const times = turns.map(({ timestamp }) => Date.parse(timestamp));
      const ended = Date.parse(call.ended_at);
      expect(Math.floor((ended - (times[0] as number)) / 1000)).toBe(call.duration_seconds);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(times.at(-1)).toBeLessThan(ended);
      // Only the last words can be cut short, and nothing long is left unsaid at the end.
      expect(turns.slice(0, -1).some(({ interrupted }) => interrupted)).toBe(false);
      expect(turns.length).toBeGreaterThanOrEqual(3);
      for (const { text } of turns) expect(text).not.toMatch(/[{}]|undefined/);
    }
  });

  it('is not the same on any two calls in three', () => {
    const texts = [...all.transcripts.values()].map(({ transcript }) => transcript);
    expect(new Set(texts).size).toBeGreaterThan((texts.length * 2) / 3);
  });

  it('can be heard: every recording is a WAV file', async () => {
    for (const { recording_url } of all.calls.filter(({ has_recording }) => has_recording).slice(0, 5)) {
      const answer = await fetch(recording_url);
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 4)).toBe('RIFF');
    }
  });
});

describe('the contacts of the demo world', () => {
  it('have names, numbers of their own and addresses at example.com, and were there before the start', () => {
    expect(all.contacts.length).toBeGreaterThan(60);
    expect(new Set(all.contacts.map(({ phone_number }) => phone_number)).size).toBe(all.contacts.length);
    const addresses = all.contacts.flatMap(({ email }) => email ?? []);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const contact of all.contacts) {
      expect(contact.name).toMatch(/^\S+ \S+/);
      expect(contact.phone_number).toMatch(/^\+1[2-9]\d\d55501[78]\d$/);
      expect(contact.email ?? 'x@example.com').toMatch(/^[a-z.]+[\d]*@example\.com$/);
      expect(isPast(contact.created_at, start)).toBe(true);
    }
  });

  it('that came by phone came on a call of theirs that was answered', () => {
    const came = all.contacts.filter(({ source }) => source === 'phone');
    expect(came.length).toBeGreaterThan(10);
    for (const { phone_number, created_at } of came) {
      const theirs = all.calls.filter((call) => theOther(call) === phone_number && call.status === 'COMPLETED');
      const first = theirs.at(-1);
      expect(created_at >= first.started_at && created_at <= first.ended_at).toBe(true);
    }
  });
});

describe('the appointments of the demo world', () => {
  it('were each booked by a contact, on a call with that contact on which it was agreed', () => {
    expect(all.appointments.length).toBeGreaterThan(30);
    for (const booking of all.appointments) {
      const calls = all.calls.filter(
        (call) => call.started_at < booking.created_at && booking.created_at < call.ended_at,
      );
      const contacts = all.contacts.filter(
        ({ name, email, phone_number }) =>
          name === booking.contact_name &&
          email === booking.contact_email &&
          calls.some((call) => theOther(call) === phone_number),
      );
      expect(contacts, booking.id).toHaveLength(1);
      const call = calls.find((each) => theOther(each) === contacts[0].phone_number);
      const said = all.transcripts.get(call.id)?.transcript;
      expect(said).toContain('You are booked on');
      expect(said.toLowerCase()).toContain(booking.title.toLowerCase());
      expect(booking.notes).toContain(contacts[0].phone_number);
    }
  });

  it('are on working days at the hour that was agreed, or were moved', () => {
    for (const { start_time, created_at, notes, contact_name } of all.appointments) {
      expect(local(start_time, { weekday: 'long' })).not.toBe('Sunday');
      expect(start_time > created_at).toBe(true);
      const day = new Date(`${local(start_time, { dateStyle: 'short' })} UTC`).getUTCDate();
      const [hour, minute] = local(start_time, { hour: '2-digit', minute: '2-digit' }).split(':').map(Number) as [
        number,
        number,
      ];
      const spoken = new RegExp(
        `${local(start_time, { weekday: 'long' })} the ${day}(st|nd|rd|th) at ${((hour + 11) % 12) + 1}:${String(minute).padStart(2, '0')} in the ${hour < 12 ? 'morning' : 'afternoon'}`,
      );
      const theirs = all.contacts.filter(({ name }) => name === contact_name).map(({ phone_number }) => phone_number);
      const texts = all.calls
        .filter((call) => theirs.includes(theOther(call)))
        .map(({ id }) => all.transcripts.get(id)?.transcript ?? '');
      expect(
        texts.some((text) => spoken.test(text)),
        `${spoken} ${notes}`,
      ).toBe(true);
    }
  });

  it('are over or ahead as their status says', () => {
    const statuses = new Set(all.appointments.map(({ status }) => status));
    expect([...statuses].sort()).toEqual(expect.arrayContaining(['canceled', 'completed', 'confirmed']));
    for (const { status, start_time, end_time } of all.appointments) {
      expect(end_time > start_time).toBe(true);
      if (status === 'confirmed') expect(isPast(end_time, start)).toBe(false);
      if (status === 'completed' || status === 'no_show') expect(isPast(end_time, start)).toBe(true);
    }
  });
});

describe('the account of the demo world', () => {
  it('has an approved enterprise, with its reputation and a signed LOA that can be read', async () => {
    const enterprise = (await client.get(ENTERPRISE)).body.data;
    expect(enterprise).toMatchObject({
      legal_name: 'Meridian Home Services, LLC',
      status: 'APPROVED',
      rejection_reasons: [],
      reputation: { status: 'approved', check_frequency: 'business_daily', rejection_reasons: [] },
    });
    expect(isPast(enterprise.synced_at, start)).toBe(true);
    expect(enterprise.reputation.last_synced_at).toBe(enterprise.synced_at);
    const id = enterprise.loa_document_id;
    const document = (await client.get(`/v1/caller-trust/documents/${id}`)).body.data;
    expect(document).toMatchObject({ status: 'verified', content_type: 'application/pdf' });
    const answer = await fetch(`${sandbox.url}/_sandbox/documents/${id}/content`, {
      headers: { Authorization: `Bearer ${client.key}` },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(document.sha256);
    const { totalPages, text } = await extractText(new Uint8Array(bytes), { mergePages: true });
    expect(totalPages).toBe(1);
    expect(text).toContain('Letter of Authorization');
    expect(text).toContain(enterprise.legal_name);
  });

  it('counts what its records are', async () => {
    const { footprint, is_demo } = (await client.get('/v1/account')).body.data;
    const numbers = await listOf(client, '/v1/phone-numbers');
    expect(is_demo).toBe(true);
    expect(footprint).toEqual({
      phone_numbers: numbers.length,
      enrolled_reputation_numbers: numbers.filter((each) => each.reputation_enrolled_at !== null).length,
      own_brand_enterprise: true,
    });
    const reputation = await listOf(client, '/v1/caller-trust/reputation/numbers');
    for (const { own_brand, enrolled_at } of reputation) expect(own_brand).toBe(enrolled_at !== null);
  });

  it('shows its brand on its verified caller IDs, and a remediation that is done', async () => {
    const [identity] = (await client.get(IDENTITIES)).body.data;
    expect(identity).toMatchObject({ display_name: 'Meridian Home Services', status: 'approved' });
    expect(identity.enterprise_id).toBe((await client.get(ENTERPRISE)).body.data.id);
    for (const { status, rcd_display_name, rcd_status } of await listOf(client, '/v1/caller-ids')) {
      const shown = status === 'VERIFIED' ? [identity.display_name, 'approved'] : [null, null];
      expect([rcd_display_name, rcd_status]).toEqual(shown);
    }
    const [remediation] = (await client.get('/v1/caller-trust/reputation/remediations')).body.data;
    expect(remediation.status).toBe('completed');
  });

  it('can go on: a further call, remediation or identity is as anywhere', async () => {
    const own = await open();
    try {
      const by = clientOf(own.url, 'svc_sandbox_demo');
      const { total_results } = (await by.get('/v1/calls')).body.meta;
      const id = await by.call('+12125550199');
      await own.world('demo').clock.untilIdle();
      expect((await by.readCall(id)).status).toBe('COMPLETED');
      const { data, meta } = (await by.get('/v1/calls?page_size=1')).body;
      expect([data[0].id, meta.total_results]).toEqual([id, total_results + 1]);
      const made = await by.post('/v1/caller-trust/reputation/remediations', { phone_numbers: ['+14155550191'] });
      expect(made.status, made.text).toBe(202);
      const identity = await by.post(IDENTITIES, { display_name: 'Meridian', call_reasons: ['Reminder'] });
      expect(identity.status, identity.text).toBe(201);
      expect((await by.post(ENTERPRISE, { legal_name: 'Another' })).status).toBe(409);
    } finally {
      await own.close();
    }
  });
});

describe('a generated world', () => {
  /** Everything as text; the server's own address aside. */
  const textOf = async (by: Client, url: string): Promise<string> => {
    const { transcripts, ...lists } = await recordsOf(by);
    return JSON.stringify({ ...lists, transcripts: [...transcripts] }).replaceAll(url, '');
  };

  it('is the same to the byte for one seed, in another run, as a posted world and after a reset; another seed differs', async () => {
    // Recordings are of a world, whose name is in their address.
    const bare = (text: string): string => text.replaceAll(/\/_sandbox\/media\/[\w.-]+/g, '');
    const first = JSON.stringify({ ...all, transcripts: [...all.transcripts] }).replaceAll(sandbox.url, '');
    const [again, other] = [await open(), await open({ seed: 2 })];
    try {
      const by = clientOf(again.url, 'svc_sandbox_demo');
      expect(await textOf(by, again.url)).toBe(first);
      const posted = await by.post('/_sandbox/worlds', { name: 'like-demo', fixtures: 'demo' });
      const like = await textOf(clientOf(again.url, posted.body.data.api_key), again.url);
      expect(bare(like)).toBe(bare(first));
      await by.call('+12125550199');
      await again.world('demo').reset();
      expect(await textOf(by, again.url)).toBe(first);
      const different = await recordsOf(clientOf(other.url, 'svc_sandbox_demo'));
      const names = new Set(all.contacts.map(({ name }) => name));
      expect(different.contacts.filter(({ name }) => names.has(name)).length).toBeLessThan(5);
    } finally {
      await again.close();
      await other.close();
    }
  });

  it.each([
    ['at night', '2026-07-15T08:30:00.000Z'],
    ['on a Sunday', '2026-07-19T19:00:00.000Z'],
    ['just after the clocks went forward', '2026-03-08T10:00:01.000Z'],
    ['just after the clocks went back', '2026-11-01T09:00:01.000Z'],
    ['in the middle of a business day', '2024-02-29T20:00:00.000Z'],
    ['a long time ago', '0300-05-06T20:00:00.000Z'],
  ])('that starts %s lies in local business hours before that', async (_, from) => {
    const own = await open({ start: from });
    try {
      const calls = await listOf(clientOf(own.url, 'svc_sandbox_demo'), '/v1/calls');
      expect(calls.length).toBeGreaterThan(250);
      for (const { started_at, ended_at } of calls) {
        expect(ended_at < from).toBe(true);
        const hour = Number(local(started_at, { hour: '2-digit' }));
        expect(hour >= 7 && hour < 21, started_at).toBe(true);
      }
    } finally {
      await own.close();
    }
  });

  it("lies before the machine's time on a running clock", async () => {
    const before = Date.now();
    const own = await open({ clock: 'real' });
    try {
      const calls = await listOf(clientOf(own.url, 'svc_sandbox_demo'), '/v1/calls');
      expect(calls.length).toBeGreaterThan(250);
      for (const { started_at, ended_at } of calls) {
        expect(Date.parse(ended_at)).toBeLessThan(Date.now());
        expect(Date.parse(started_at)).toBeGreaterThanOrEqual(before - 14 * DAY);
      }
    } finally {
      await own.close();
    }
  });

  it('is carried over a restart by --state, on a running clock too', async () => {
    const options = { clock: 'real', state: join(folderOf(), 'state.json') } as const;
    const seen: unknown[] = [];
    for (let life = 0; life < 2; life++) {
      const own = await open(options);
      try {
        const by = clientOf(own.url, 'svc_sandbox_demo');
        const calls = await listOf(by, '/v1/calls');
        const times = calls.map(({ id, started_at, duration_seconds }) => [id, started_at, duration_seconds]);
        seen.push({ times, contacts: await listOf(by, '/v1/contacts') });
      } finally {
        await own.close();
      }
    }
    expect(seen[1]).toEqual(seen[0]);
  });
});

/** Prints whether faker is loaded before and after the demo world is looked at. */
const LOADING = `
  import { createRequire } from 'node:module';
  import { createSandbox } from './dist/index.js';
  const isLoaded = () => Object.keys(createRequire(process.cwd() + '/').cache).some((file) => file.includes('@faker-js'));
  const sandbox = await createSandbox({ clock: 'manual' });
  const read = (key) => fetch(sandbox.url + '/v1/calls', { headers: { Authorization: 'Bearer ' + key } });
  for (const key of ['svc_sandbox_default', 'svc_sandbox_hipaa', 'svc_test_mine']) await read(key);
  const before = isLoaded();
  await read('svc_sandbox_demo');
  console.log(JSON.stringify([before, isLoaded()]));
  await sandbox.close();
`;

it('faker is loaded by the demo world, and by no other', async () => {
  await build();
  const args = ['--input-type=module', '-e', LOADING];
  expect(JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }))).toEqual([false, true]);
});
