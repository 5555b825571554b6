// `updated_at` of every record that has one: it moves to the instant of a change, cascades included, and stays where
// nothing changes. Made from the contract: every operation that writes, once and once more, and everything that follows.
import { beforeEach, describe, expect, it } from 'vitest';
import { approve } from '../support/caller-trust.ts';
import { type Answer, type Client, playing } from '../support/client.ts';
import { operations } from '../support/operations.ts';
import { useSandbox } from '../support/sandbox.ts';
import { NUMBERS } from '../support/texting.ts';
import { sample, thorough } from '../support/thorough.ts';
import { send, validRequest } from '../support/valid-request.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

type Dated = Readonly<Record<string, unknown>> & { readonly updated_at: string };

const LISTS = ['agents', 'caller-ids', 'contacts', 'brand', 'brand/campaigns', 'caller-trust/display-identities'];
/** Their statuses and names show on other records. */
const SINGLE = ['brand'];

/** Every record with an `updated_at`, by its id. */
async function dated(by: Client): Promise<Map<string, Dated>> {
  const found = new Map<string, Dated>();
  for (const list of LISTS) {
    const { status, body } = await by.get(`/v1/${list}${SINGLE.includes(list) ? '' : '?page_size=100'}`);
    if (status === 404) continue;
    for (const record of [body.data].flat()) found.set(`${list} ${record.caller_id_id ?? record.id}`, record);
  }
  return found;
}

const without = ({ updated_at: _, ...rest }: Dated): object => rest;

/** Compares two readings: what changed in between has one of these instants, and the rest its earlier one. */
function expectMoved(before: Map<string, Dated>, after: Map<string, Dated>, instants: readonly string[]): string[] {
  const changed: string[] = [];
  for (const [id, record] of after) {
    const earlier = before.get(id);
    if (earlier && JSON.stringify(without(earlier)) === JSON.stringify(without(record))) {
      expect(record.updated_at, `${id} did not change`).toBe(earlier.updated_at);
      continue;
    }
    expect(instants, `${id} changed: ${JSON.stringify(earlier)} -> ${JSON.stringify(record)}`).toContain(
      record.updated_at,
    );
    changed.push(id);
  }
  return changed;
}

/** Does something at an instant of its own; returns what changed, then and in the two minutes that follow. */
async function changesOf(act: () => Promise<unknown>, later = '1h'): Promise<string[]> {
  await sandbox.clock.advance(later);
  const now = await sandbox.clock.now();
  const before = await dated(client);
  await act();
  const acted = await dated(client);
  const changed = expectMoved(before, acted, [now]);
  const { steps } = await sandbox.clock.advance('2m');
  return [
    ...changed,
    ...expectMoved(
      acted,
      await dated(client),
      steps.map(({ at }) => at),
    ),
  ];
}

const writes = operations.filter(({ method }) => method !== 'GET');

describe('updated_at', () => {
  // `npm test` tries one of each resource and method.
  const tried = sample(writes, ({ method, template }) => `${method} ${template.split('/', 3).join('/')}`);
  it.each(tried)('moves with what $id changes, and not with a repetition that changes nothing', async (operation) => {
    const request = await validRequest(operation, client);
    const act = (): Promise<Answer> => send(client, request);
    await changesOf(async () => expect((await act()).status).toBe(operation.success), '1s');
    if (thorough || writes.indexOf(operation) % 3 === 0) await changesOf(act);
  });

  const agentOf = async (): Promise<string> => (await client.get('/v1/agents')).body.data[0].id;

  it('of an agent moves when the number that it answers becomes active, and when it is released', async () => {
    const agent_id = await agentOf();
    let id = 0;
    const changes = await changesOf(async () => {
      ({ id } = (await client.post(NUMBERS, {})).body.data);
      await client.patch(`${NUMBERS}/${id}`, { agent_id });
    });
    expect(changes.filter((each) => each === `agents ${agent_id}`)).toHaveLength(2);
    expect(await changesOf(() => client.patch(`${NUMBERS}/${id}`, { agent_id, name: 'Renamed' }))).toEqual([]);
    expect(await changesOf(() => client.delete(`${NUMBERS}/${id}`))).toContain(`agents ${agent_id}`);
  });

  it('of a caller ID moves with the CNAM listing of its number, approved or rejected, and with its end', async () => {
    const path = `${NUMBERS}/4193/cnam`;
    const name = (cnam_display_name: string, headers = {}) => client.put(path, { cnam_display_name }, headers);
    const { data } = (await client.get('/v1/caller-ids')).body;
    const { caller_id_id } = data.find((each: Answer['body']) => each.phone_number === '+14155550193');
    const id = `caller-ids ${caller_id_id}`;
    expect(await changesOf(() => name('HARBOR'))).toEqual([id, id]);
    expect(await changesOf(() => name('DENTAL', playing('cnam_rejected')))).toEqual([id, id]);
    expect(await changesOf(() => client.delete(`/v1/caller-ids/${caller_id_id}`))).toEqual([id]);
    expect(await changesOf(() => client.delete(`/v1/caller-ids/${caller_id_id}`))).toEqual([]);
    expect(await changesOf(() => client.delete(`${NUMBERS}/4193`))).toEqual([id]);
  });

  it('of verified caller IDs moves with the display identity that they show, and with its rejection', async () => {
    await approve(client, sandbox);
    const { data } = (await client.get('/v1/caller-ids')).body;
    const verified = data.filter(({ status }: Answer['body']) => status === 'VERIFIED');
    const ids = verified.map((each: Answer['body']) => `caller-ids ${each.caller_id_id}`);
    const submit = (headers = {}) =>
      client.post('/v1/caller-trust/display-identities', { display_name: 'Harbor', call_reasons: ['Visit'] }, headers);
    const callerIdsOf = (changes: string[]): string[] => changes.filter((each) => each.startsWith('caller-ids'));
    for (const headers of [playing('display_identity_rejected'), {}, playing('display_identity_rejected')]) {
      expect(callerIdsOf(await changesOf(() => submit(headers)))).toEqual([...ids, ...ids]);
    }
  });

  it('of a pending campaign moves when one of its numbers is released', async () => {
    await client.post('/v1/brand', { legal_name: 'Harbor Street Dental LLC', ein: '12-3456789' });
    await sandbox.clock.advance('2m');
    const { data } = (
      await client.post(
        '/v1/brand/campaigns',
        { use_case: 'customer_care', phone_numbers: ['+14155550193'] },
        playing('registration_slow'),
      )
    ).body;
    expect(await changesOf(() => client.delete(`${NUMBERS}/4193`))).toContain(`brand/campaigns ${data.id}`);
  });

  it('of an agent stays when a PATCH sets what it has', async () => {
    const id = await agentOf();
    const { name, greeting } = (await client.get(`/v1/agents/${id}`)).body.data;
    expect(await changesOf(() => client.patch(`/v1/agents/${id}`, { name, greeting }))).toEqual([]);
    expect(await changesOf(() => client.patch(`/v1/agents/${id}`, { name: `${name} 2`, greeting }))).toEqual([
      `agents ${id}`,
    ]);
  });
});
