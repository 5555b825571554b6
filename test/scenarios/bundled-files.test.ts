// The bundled scenario files: each plays as its `expect` says, for the kinds of `interface.md` section 3.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  DOCUMENTS,
  dataOf,
  draft,
  enterpriseOf,
  IDENTITIES,
  IDENTITY,
  REMEDIATIONS,
  sign,
  upload,
} from '../support/caller-trust.ts';
import { type Answer, type Client, expectError, FROM, playing } from '../support/client.ts';
import { JOBS, jobOf } from '../support/outbound.ts';
import { BRAND, MESSAGES, registerBrand, text } from '../support/texting.ts';
import { inWorld, scenarioOf, untilIdle, useScenarios } from './setup.ts';

const bundledFolder = new URL('../../scenarios/', import.meta.url);
const { sandbox } = useScenarios();

async function eventTypesAbout(of: Client, id: string): Promise<string[]> {
  const { body } = await of.get(`/_sandbox/events?subject_id=${id}`);
  return body.data.map((event: { event_type: string }) => event.event_type).reverse();
}

describe('the bundled scenario files', () => {
  interface File {
    readonly kind: string;
    readonly extends?: string;
    readonly expect?: {
      readonly refused?: readonly { readonly status: number; readonly code: string }[];
      readonly statuses?: readonly string[];
      readonly events?: readonly string[];
      readonly record?: object;
    };
  }
  const files = new Map<string, File>(
    readdirSync(bundledFolder).map((file) => [
      file.replace('.yaml', ''),
      parse(readFileSync(new URL(file, bundledFolder), 'utf8')),
    ]),
  );
  const expectationOf = (name: string): NonNullable<File['expect']> => {
    const file = files.get(name) as File;
    return file.expect ?? (file.extends === undefined ? {} : expectationOf(file.extends));
  };

  interface Kind {
    readonly start: (of: Client, header: Record<string, string>) => Promise<Answer>;
    readonly record: (of: Client, answer: Answer) => Promise<{ id: string; fields: Answer['body'] }>;
  }
  const kinds: Record<string, Kind> = {
    call: {
      start: (of, header) => of.dial('+12125550147', header),
      record: async (of, { body }) => ({ id: body.call_id, fields: await of.readCall(body.call_id) }),
    },
    caller_id: {
      start: (of, header) => of.post('/v1/caller-ids', { phone_number: '+14155550186' }, header),
      async record(of, { body }) {
        const id = body.data.caller_id_id;
        const { data } = (await of.get('/v1/caller-ids?page_size=100')).body;
        return { id, fields: data.find((each: { caller_id_id: string }) => each.caller_id_id === id) };
      },
    },
    phone_number: {
      start: (of, header) => of.post('/v1/phone-numbers', { area_code: '212' }, header),
      async record(of, { body }) {
        const id = String(body.data.id);
        const { data } = (await of.get('/v1/phone-numbers?page_size=100')).body;
        return { id, fields: data.find((each: { id: number }) => String(each.id) === id) };
      },
    },
    document: {
      start: (of, header) => upload(of, 'x', {}, header),
      async record(of, { body }) {
        const id = body.data.document_id;
        return { id, fields: dataOf(await of.get(`${DOCUMENTS}/${id}`)) };
      },
    },
    enterprise: {
      async start(of, header) {
        dataOf(await draft(of), 201);
        return sign(of, {}, header);
      },
      record: async (of, { body }) => ({ id: body.data.id, fields: await enterpriseOf(of) }),
    },
    remediation: {
      async start(of, header) {
        await approveIn(of);
        return of.post(REMEDIATIONS, { phone_numbers: [FROM] }, header);
      },
      async record(of, { body }) {
        const id = body.data.request_id;
        return { id, fields: dataOf(await of.get(`${REMEDIATIONS}/${id}`)) };
      },
    },
    cnam: {
      start: (of, header) => of.put('/v1/phone-numbers/4190/cnam', { cnam_display_name: 'HARBOR ONE' }, header),
      async record(of) {
        const fields = dataOf(await of.get('/v1/phone-numbers/4190'));
        return { id: '4190', fields: { ...fields, status: fields.cnam_status } };
      },
    },
    texting_registration: {
      start: (of, header) => registerBrand(of, header),
      record: async (of, { body }) => ({ id: body.data.id, fields: dataOf(await of.get(BRAND)) }),
    },
    sms: {
      start: (of, header) => text(of, {}, header),
      async record(of, { body }) {
        const { id } = body.data;
        return { id, fields: dataOf(await of.get(`${MESSAGES}/${id}`)) };
      },
    },
    job: {
      async start(of, header) {
        const [{ id }] = dataOf(await of.get('/v1/agents'));
        return of.post(JOBS, { agent_id: id, to_numbers: ['+12125550101'] }, header);
      },
      async record(of, { body }) {
        const { id } = body.data;
        return { id, fields: await jobOf(of, id) };
      },
    },
    display_identity: {
      async start(of, header) {
        await approveIn(of);
        return of.post(IDENTITIES, IDENTITY, header);
      },
      async record(of, { body }) {
        const { id } = body.data;
        const all = dataOf(await of.get(IDENTITIES));
        return { id, fields: all.find((each: { id: string }) => each.id === id) };
      },
    },
  };

  const approveIn = async (of: Client): Promise<void> => {
    dataOf(await draft(of), 201);
    dataOf(await sign(of));
    await untilIdle(of);
  };

  it.each([...files.keys()])('%s states what to expect of it', (name) => {
    const { refused = [], statuses = [] } = expectationOf(name);
    expect(refused.length + statuses.length).toBeGreaterThan(0);
    expect(Object.keys(kinds)).toContain(files.get(name)?.kind);
  });

  it.for([...files.keys()])('%s plays as its `expect` says', async (name, { skip }) => {
    const { refused = [], statuses, events = [], record } = expectationOf(name);
    const kind = kinds[(files.get(name) as File).kind] as Kind;
    const world = inWorld(sandbox, `plays-${name.replaceAll('_', '-')}`);
    for (const { status, code } of refused) expectError(await kind.start(world, playing(name)), status, code);
    if (statuses === undefined) {
      await untilIdle(world);
      expect((await world.get('/_sandbox/events')).body.meta.total_results).toBe(0);
      return;
    }
    const answer = await kind.start(world, playing(name));
    if (answer.status === 405 || answer.status === 404) {
      const why = `no request plays the kind ${files.get(name)?.kind} yet`;
      console.info(`skipped: ${name} is not played, since ${why}`);
      skip(why);
    }
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(scenarioOf(answer)).toBe(name);
    const { id } = await kind.record(world, answer);
    const before = (await kind.record(world, answer)).fields.status ?? statuses[0];
    const steps = (await untilIdle(world)).filter(({ subject }) => subject.id === id);
    const passed = [before, ...steps.map(({ to }) => to)];
    expect(passed.filter((status, index) => status !== passed[index - 1])).toEqual(statuses);
    expect(await eventTypesAbout(world, id)).toEqual(events);
    expect((await kind.record(world, answer)).fields).toMatchObject(record ?? {});
  });
});
