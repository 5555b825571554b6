// Every error code: in the catalogue and on the page that `doc_url` names, by the scenario that `interface.md` section
// 3 names, by its magic number, and by X-Sandbox-Error on every operation. What is expected comes from `spec.md`
// "Errors", not from the catalogue. `error-causes.test.ts` has the natural causes.
import { beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes } from '../../src/errors/catalogue.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { keyedOperations } from '../support/operations.ts';
import { useSandbox } from '../support/sandbox.ts';
import { pairs, thorough } from '../support/thorough.ts';
import { send, worldSnapshot } from '../support/valid-request.ts';
import { clientWith } from '../support/world.ts';
import {
  addedErrors,
  endingCodes,
  expectRow,
  refusingCodes,
  rowOf,
  specifiedErrors,
  synchronous,
} from './specified-errors.ts';

const TO = '+12125550100';

const { sandbox } = useSandbox({ clock: 'manual' });
let worlds = 0;

/** A client of a world that no other test uses, so that it has its own rate window. */
const newWorld = (): Client => clientOf(sandbox.url, `svc_test_error-${++worlds}`);
const advance = (by: Client, step: string): Promise<Answer> => by.post('/_sandbox/clock/advance', { by: step });

describe('the catalogue of errors', () => {
  it('has the 35 codes of the 37 rows of the specification, and five of the ledger', async () => {
    expect(specifiedErrors).toHaveLength(37);
    expect(new Set(specifiedErrors.map(({ code }) => code)).size).toBe(35);
    expect(new Set([...specifiedErrors, ...addedErrors].map(({ code }) => code))).toEqual(new Set(errorCodes));
  });

  it('marks every code with 429 or 5xx as retryable, as client libraries treat it', async () => {
    const { data } = (await newWorld().get('/_sandbox/catalog')).body;
    const again = data.errors.filter(({ status }: Answer['body']) => status === 429 || status >= 500);
    expect(again).toHaveLength(8);
    expect(again.filter(({ retryable }: Answer['body']) => !retryable)).toEqual([]);
  });

  let catalog: Answer['body'];
  let page = '';
  beforeAll(async () => {
    catalog = (await newWorld().get('/_sandbox/catalog')).body.data;
    page = await (await fetch(`${sandbox.url}/docs/errors`)).text();
  });

  it.each(errorCodes)('shows %s as specified, in /_sandbox/catalog and on the page of doc_url', (code) => {
    const { status, category, retryable } = rowOf(code, 'calls');
    expect(catalog.errors.filter((each: Answer['body']) => each.code === code)).toEqual([
      {
        code,
        status,
        category: category ?? null,
        retryable,
        meaning: expect.stringMatching(/\w/),
        synchronous: status !== null && !addedErrors.some((each) => each.code === code),
      },
    ]);
    const [, section = ''] = new RegExp(`<section id="${code}">(.*?)</section>`, 's').exec(page) ?? [];
    const facts = [...section.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value]);
    const everywhere = rowOf(code).category;
    expect(Object.fromEntries(facts)).toEqual({
      HTTP: status === null ? 'on the call resource only' : String(status),
      ...(category ? { category: everywhere ? category : `${category}, on requests that place calls` } : {}),
      retryable: retryable ? 'yes' : 'no',
    });
    expect(section).toMatch(/What to do\.<\/strong> \S/);
  });
});

/** The scenario of a code. */
const scenarioOf = (code: ErrorCode): string => (code === 'voicemail_reached' ? 'voicemail' : code);

describe('the scenario of an error code', () => {
  it('exists for 21 of the 29 synchronous codes, and for six that a call can end with', () => {
    expect([synchronous.size, refusingCodes.length, endingCodes.length]).toEqual([29, 21, 6]);
  });

  it('no other scenario refuses every dial', async () => {
    const { data } = (await newWorld().get('/_sandbox/scenarios?kind=call&page_size=100')).body;
    const refusing = data.filter((each: Answer['body']) => each.timeline.length === 0);
    expect(refusing.map(({ name }: Answer['body']) => name)).toEqual([...refusingCodes].sort());
  });

  it.each(refusingCodes)(
    '%s refuses a dial that selects it, and a dial in a world where it is active',
    async (code) => {
      const by = newWorld();
      const before = thorough && (await worldSnapshot(by));
      const selected = await by.dial(TO, { 'X-Sandbox-Scenario': code });
      expectRow(code, selected, 'calls');
      expect(selected.headers['x-sandbox-scenario']).toBe(code);
      expect((await by.put('/_sandbox/active-scenarios/call', { use: code })).status).toBe(200);
      expectRow(code, await by.dial(TO), 'calls');
      expect(thorough && (await worldSnapshot(by))).toEqual(before);
    },
  );

  it.each(endingCodes)('%s is on the ended call that selects it, and on its event', async (code) => {
    const by = newWorld();
    const id = await by.call(TO, { 'X-Sandbox-Scenario': scenarioOf(code) });
    await advance(by, '60s');
    const failure = { failure_code: code, failure_category: rowOf(code).category };
    expect(await by.readCall(id)).toMatchObject(failure);
    const [event] = (await by.get('/_sandbox/events?event_type=phone_call.ended')).body.data;
    expect(event.payload).toMatchObject({ id, ...failure });
  });
});

describe('the magic number of an error code', () => {
  it('exists for every code of a dial or call, except those about the form or source of the call', async () => {
    const { numbers } = (await newWorld().get('/_sandbox/catalog')).body.data;
    const claimed = new Map<string, string>(numbers.map((row: Answer['body']) => [row.scenario, row.number]));
    // These four are about the form of the numbers in the request, or about the number that places the call.
    const withoutNumber = ['destination_missing', 'destination_invalid', 'no_active_number', 'call_id_not_verified'];
    for (const code of [...refusingCodes, ...endingCodes]) {
      const digits = claimed.get(scenarioOf(code));
      if (withoutNumber.includes(code)) {
        expect(digits, code).toBeUndefined();
        continue;
      }
      const by = newWorld();
      const answer = await by.dial(`+131255501${digits}`);
      if (refusingCodes.includes(code)) {
        expectRow(code, answer, 'calls');
        continue;
      }
      expect(answer.status, answer.text).toBe(202);
      await advance(by, '60s');
      expect((await by.readCall(answer.body.call_id)).failure_code).toBe(code);
    }
  });
});

describe('X-Sandbox-Error', () => {
  const requests = keyedOperations.map(({ method, path, example }) => ({
    method,
    path,
    ...(example ? { body: example } : {}),
  }));
  const open = (): Promise<Client> => clientWith(sandbox.url, newWorld(), { requests_per_minute: 1_000_000 });

  it.each(errorCodes)('%s is returned by operations, or refused if it is not synchronous', async (code) => {
    const by = await open();
    for (const [, request] of pairs(errorCodes, requests).filter(([each]) => each === code)) {
      const answer = await send(by, request, { 'X-Sandbox-Error': code });
      if (synchronous.has(code)) expectError(answer, rowOf(code).status as number, code);
      else expectError(answer, 400, 'validation_error');
    }
  });

  it('changes nothing', async () => {
    const by = await open();
    const before = await worldSnapshot(by);
    for (const [code, request] of pairs(['internal_error', 'provider_api_error', 'not_found'], requests)) {
      await send(by, request, { 'X-Sandbox-Error': code });
    }
    expect(await worldSnapshot(by)).toEqual(before);
  });
});
