// Which requests faults meet, for every order of requests: probability, nth, skip and times are consumed in that order. `interface.md` section 5.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fraction } from '../../src/identity/seeded.ts';
import { clientOf } from '../support/client.ts';
import { freePort, programs } from '../support/program.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs, thorough } from '../support/thorough.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: false });
let worlds = 0;

interface Counted {
  readonly operation: string;
  readonly skip?: number | undefined;
  readonly nth?: number | undefined;
  readonly times?: number | undefined;
  readonly probability?: number | undefined;
}

const paths = { getMe: '/v1/me', listAgents: '/v1/agents', listCalls: '/v1/calls' } as const;
type Operation = keyof typeof paths;
const operations = Object.keys(paths) as Operation[];
const fault: fc.Arbitrary<Counted> = fc.record(
  {
    operation: fc.constantFrom(...operations, 'list*', '**'),
    skip: fc.nat(3),
    nth: fc.integer({ min: 1, max: 4 }),
    times: fc.integer({ min: 1, max: 3 }),
    probability: fc.constantFrom(0, 0.3, 0.7, 1),
  },
  { requiredKeys: ['operation'] },
);

/** What the documents say, in a few lines: the first fault that happens decides, and later ones do not count the request. */
function expectedIds(faults: readonly (Counted & { id: string })[], requests: readonly Operation[]): (string | null)[] {
  const counts = faults.map(() => ({ matched: 0, applied: 0 }));
  return requests.map((operation) => {
    for (const [index, { id, operation: glob, skip = 0, nth, times, probability = 1 }] of faults.entries()) {
      const count = counts[index] as (typeof counts)[number];
      if (times !== undefined && count.applied >= times) continue;
      if (nth !== undefined && count.matched - skip >= nth) continue;
      const matches = glob === '**' || glob === operation || (glob === 'list*' && operation.startsWith('list'));
      if (!matches) continue;
      count.matched += 1;
      const number = count.matched - skip;
      if (number < 1 || (nth !== undefined && number !== nth)) continue;
      if (probability < 1 && fraction(id, 'happens', count.matched) >= probability) continue;
      count.applied += 1;
      return id;
    }
    return null;
  });
}

describe('faults', () => {
  it('meet the requests that their conditions name, one after another or all at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...operations), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (given, drawn, together) => {
          worlds += 1;
          const client = clientOf(sandbox.url, `svc_test_consumed_${worlds}`);
          const faults = given.map((each) => ({ ...each, error: 'internal_error' }));
          const set = await client.put('/_sandbox/faults', { faults });
          const ids = set.body.data.faults.map(({ id }: { id: string }) => id);
          // At once, nobody knows which is first, but how many meet which fault.
          const requests = together ? drawn.map(() => drawn[0] as Operation) : drawn;
          const all = requests.map((operation) => paths[operation]);
          if (together) await Promise.all(all.map((path) => client.get(path)));
          else for (const path of all) await client.get(path);
          const journal = (await client.get('/_sandbox/requests?page_size=1000')).body.data.reverse();
          const met = journal.map(({ faults }: { faults?: { id: string }[] }) => faults?.[0]?.id ?? null);
          const expected = expectedIds(
            given.map((each, index) => ({ ...each, id: ids[index] })),
            requests,
          );
          expect(together ? met.sort() : met).toEqual(together ? expected.sort() : expected);
        },
      ),
      { numRuns: runs(40, 1000) },
    );
  });
});

/** How long something took, and the rate headers of responses. */
const onRealTime = ['duration_ms', 'latency_ms', 'ratelimit', 'x-ratelimit-reset', 'retry-after'];

describe.runIf(thorough)('two processes with one seed and one order of requests', () => {
  const { serve } = programs();

  it('have byte-identical journals, faults and troubled deliveries included', async () => {
    const port = await freePort();
    const journals: string[] = [];
    for (let process = 0; process < 2; process++) {
      const { url, stop } = await serve(['--clock', 'manual', '--seed', '42', '--port', String(port)]);
      const client = clientOf(url);
      await client.put('/_sandbox/faults', {
        faults: [
          { operation: 'dialCall', respond: { status: 502, body: '<h1>502</h1>' }, probability: 0.3 },
          { operation: 'list*', drift: ['extra_fields'], nth: 2 },
          { error: 'internal_error', probability: 0.2, skip: 3 },
        ],
      });
      await client.put('/_sandbox/webhook-plan', {
        ...{ duplicate: 0.4, reorder: 0.4, drop: 0.2, tamper: 0.3, wrong_secret: 0.3 },
        ...{ delay: '0s..30s', retries: 'short', timeout: { connect: '1s' } },
      });
      // Nothing listens there.
      const webhook_url = 'http://127.0.0.1:9/hook';
      for (const event_type of ['new_call', 'call_completed', 'number_purchased'])
        await client.post('/api/v1/webhook_subscriptions', { webhook_url, event_type });
      for (let number = 0; number < 20; number++) {
        await client.dial(`+1212555010${number % 10}`);
        await client.get('/v1/calls');
        await client.post('/_sandbox/clock/advance', { by: '5s' });
      }
      await client.post('/_sandbox/events', { event_type: 'number_purchased' });
      await client.post('/_sandbox/clock/advance', { until: 'idle' });
      const read = ['requests', 'events', 'deliveries'].map((journal) =>
        client.get(`/_sandbox/${journal}?page_size=1000`),
      );
      const shown = (await Promise.all(read)).map(({ body }) => body);
      journals.push(
        JSON.stringify(shown, (name, value) => (onRealTime.includes(name.toLowerCase()) ? undefined : value)),
      );
      await stop();
    }
    expect(journals[0]).toContain('"plan":["');
    expect(journals[0]).toContain('respond=502');
    expect(journals[1]).toBe(journals[0]);
  });
});
