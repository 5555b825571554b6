// Random requests to every operation: no unexpected 5xx, nothing internal in a response, and no effect of a refused
// one.
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { type KnownIds, randomRequests } from '../support/fuzz-requests.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { PATIENCE } from '../support/until.ts';
import type { Outgoing } from '../support/wire.ts';
import { expectNoPollution, expectNothingInternal, TO } from './setup.ts';

/** Enough to find what is easy to find; the bench asks for many more. */
const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? runs(150, 2000));

const { client, wire } = useSandbox({ clock: 'manual', rateLimit: 'off', concurrentCalls: 'off' });
let ids: KnownIds;

beforeAll(async () => {
  // Not a caller ID that dials use: some of the requests revoke it.
  const { data } = (await client.get('/v1/caller-ids')).body;
  const pending = data.find(({ status }: { status: string }) => status === 'PENDING_VERIFICATION');
  const subscription = { webhook_url: 'https://hooks.example.com/x', event_type: 'sms_sent' };
  ids = {
    agents: (await client.get('/v1/agents')).body.data[0].id,
    calls: (await client.get('/v1/calls')).body.data[0].id,
    'caller-ids': pending.caller_id_id,
    'caller-trust': 'doc_business_licence',
    leads: 'lead_default',
    webhook_subscriptions: (await client.post('/api/v1/webhook_subscriptions', subscription)).body.id,
  };
});

/** What this many random requests meet for certain; rarer ones take more of them. */
const certainStatuses = FUZZ_RUNS < 2000 ? [400, 401, 404] : [200, 201, 202, 400, 401, 403, 404, 405, 415];

const countCalls = async (): Promise<number> => (await client.get('/v1/calls')).body.meta.total_results;

/** The errors that a request asks for itself. */
const requestedErrors = ({ headers = {} }: Outgoing): string[] =>
  [headers['X-Sandbox-Error'], headers['X-Sandbox-Scenario']].map((value) => String(value).split(';')[0] ?? '');

function expectAllowed(outgoing: Outgoing, { status, headers, text, body }: Answer): void {
  expectNothingInternal(text);
  if (outgoing.method === 'HEAD' || status === 204) {
    expect(text).toBe('');
    return;
  }
  expect(headers['content-type']).toBe('application/json');
  if (status < 400) {
    expect([200, 201, 202]).toContain(status);
    return;
  }
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error.doc_url).toContain(`/docs/errors#${body.error.code}`);
  if (status >= 500) expect(requestedErrors(outgoing)).toContain(body.error.code);
}

const placesCall = ({ path }: Outgoing, { status, headers }: Answer): boolean =>
  path.startsWith('/v1/calls/dial') &&
  status === 202 &&
  headers['x-sandbox-world'] === 'default' &&
  !headers['idempotency-replayed'];

it(
  'random requests cause no unexpected 5xx, and get only responses that the contract allows',
  async () => {
    const before = await countCalls();
    const statuses = new Set<number>();
    let placed = 0;
    await fc.assert(
      fc.asyncProperty(randomRequests(ids), async (outgoing) => {
        const answer = await wire.send({ ...outgoing, timeoutMs: PATIENCE });
        statuses.add(answer.status);
        expectAllowed(outgoing, answer);
        if (placesCall(outgoing, answer)) placed++;
      }),
      { numRuns: FUZZ_RUNS },
    );
    expect(await countCalls()).toBe(before + placed);
    expect([...statuses]).toEqual(expect.arrayContaining(certainStatuses));
    expectNoPollution();
    expect((await client.dial(TO)).status).toBe(202);
  },
  120_000 + FUZZ_RUNS * 20,
);
