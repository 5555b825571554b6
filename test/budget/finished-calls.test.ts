// The finished calls that a world keeps (`--max-calls`): a server that keeps three is compared with one that keeps all, over
// random dials, hang-ups, moves of the clock, snapshots and resets.
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { type Answer, type Client, clientOf, expectError, playing } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { childOf, pagesOf } from '../support/world.ts';

const KEPT = 3;
const open = { clock: 'manual', rateLimit: 'off', concurrentCalls: 'off', journalLimit: 20 } as const;
const { sandbox: few } = useSandbox({ ...open, maxCalls: KEPT });
const { sandbox: all } = useSandbox(open);
const folderOf = temporaryFolders();

interface Call {
  readonly id: string;
  readonly ended_at: string | null;
  readonly started_at: string;
}

type Step =
  | { readonly do: 'dial'; readonly scenario: string; readonly child: boolean }
  | { readonly do: 'hangup'; readonly nth: number }
  | { readonly do: 'advance'; readonly by: string }
  | { readonly do: 'snapshot' | 'restore' | 'reset' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('dial' as const),
        scenario: fc.constantFrom('busy', 'answered;ring=2s;talk=61s', 'answered;ring=2s;talk=10m', 'no_answer'),
        child: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('hangup' as const), nth: fc.nat(20) }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.constantFrom('5s', '2m', '1h', '20d') }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('snapshot' as const, 'restore' as const, 'reset' as const) }),
    },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);

/** A world on one of the servers, with its clients and the calls that it was given. */
class World {
  readonly parent: Client;
  readonly child: Client;
  /** Its calls, in the order in which they were placed. */
  placed: string[] = [];
  /** Those at the snapshot; null without one. */
  #saved: string[] | null = null;

  constructor(parent: Client, child: Client) {
    this.parent = parent;
    this.child = child;
  }

  static async on({ url }: Sandbox, name: string): Promise<World> {
    const assumptions = { included_minutes: 20, umbrella_usage: 'own' };
    const { body } = await clientOf(url).post('/_sandbox/worlds', { name, assumptions });
    const parent = clientOf(url, body.data.api_key);
    return new World(parent, await childOf(url, parent));
  }

  async run(step: Step): Promise<Answer> {
    switch (step.do) {
      case 'dial': {
        const from_number = step.child ? '+14155550194' : '+14155550190';
        const client = step.child ? this.child : this.parent;
        const body = { from_number, to_number: '+12125550100' };
        const answer = await client.post('/v1/calls/dial', body, playing(step.scenario));
        if (answer.status === 202) this.placed.push(answer.body.call_id);
        return answer;
      }
      case 'hangup':
        return this.parent.post(`/v1/calls/${this.placed.at(-1 - step.nth) ?? 'none'}/hangup`);
      case 'advance':
        return this.parent.post('/_sandbox/clock/advance', { by: step.by });
      case 'snapshot':
        this.#saved = [...this.placed];
        await this.parent.delete('/_sandbox/snapshots/s');
        return this.parent.post('/_sandbox/snapshots', { name: 's' });
      case 'restore':
        this.placed = [...(this.#saved ?? this.placed)];
        return this.parent.post('/_sandbox/snapshots/s/restore');
      case 'reset':
        this.placed = [];
        return this.parent.post('/_sandbox/reset');
      default:
        return step satisfies never;
    }
  }

  async calls(client: Client): Promise<Call[]> {
    const pages = await pagesOf(client, '/v1/calls', 2);
    const calls = pages.flatMap(({ data }) => data);
    expect(pages.every(({ meta }) => meta.total_results === calls.length)).toBe(true);
    return calls;
  }
}

/** What `few` must have of the calls of `all`: those in progress, those of the fixture and the newest that have ended. */
function expected(calls: readonly Call[], placed: readonly string[]): string[] {
  const own = calls.filter(({ id, ended_at }) => placed.includes(id) && ended_at !== null).map(({ id }) => id);
  const newest = own.sort((a, b) => placed.indexOf(b) - placed.indexOf(a)).slice(0, KEPT);
  return calls.filter(({ id }) => !own.includes(id) || newest.includes(id)).map(({ id }) => id);
}

let worlds = 0;

async function compare(program: readonly Step[]): Promise<void> {
  worlds += 1;
  const [kept, whole] = [await World.on(few, `w-${worlds}`), await World.on(all, `w-${worlds}`)];
  for (const step of program) {
    const [answer, reference] = [await kept.run(step), await whole.run(step)];
    // A call that is gone is unknown.
    if (step.do !== 'hangup' || answer.status !== 404)
      expect(answer.status, JSON.stringify(step)).toBe(reference.status);
  }
  const own = await whole.calls(whole.parent);
  const ofChild = await whole.calls(whole.child);
  const [left, leftOfChild] = [await kept.calls(kept.parent), await kept.calls(kept.child)];
  const wanted = expected([...own, ...ofChild], whole.placed);
  expect([...left, ...leftOfChild].map(({ id }) => id)).toEqual(wanted);
  for (const { id } of [...own, ...ofChild]) await expectKept(kept, id, wanted.includes(id));
  for (const by of ['parent', 'child'] as const) {
    expect((await kept[by].get('/v1/usage')).body).toEqual((await whole[by].get('/v1/usage')).body);
  }
}

async function expectKept({ parent, child }: World, id: string, isKept: boolean): Promise<void> {
  const answers = [await parent.get(`/v1/calls/${id}`), await child.get(`/v1/calls/${id}`)];
  expect(answers.map(({ status }) => status).sort()).toEqual(isKept ? [200, 404] : [404, 404]);
  if (isKept) return;
  for (const path of ['', '/transcript']) expectError(await parent.get(`/v1/calls/${id}${path}`), 404, 'not_found');
  expectError(await parent.post(`/v1/calls/${id}/hangup`), 404, 'not_found');
}

describe('a world that keeps three finished calls', () => {
  it('has the newest that have ended, those in progress and those of the fixture, and counts usage as if it had all', async () => {
    await fc.assert(fc.asyncProperty(steps, compare), { numRuns: runs(8, 150) });
  });
});

describe('what has gone', () => {
  let sandbox: Sandbox;
  const start = async (options: SandboxOptions): Promise<Client> => {
    sandbox = await createSandbox({ ...open, maxCalls: 2, ...options });
    return clientOf(sandbox.url);
  };
  afterAll(() => sandbox.close());

  it('stays away after a restart with --state, and its minutes stay used', async () => {
    const state = `${folderOf({})}/state.json`;
    const options = { state, clock: 'instant' } as const;
    let client = await start(options);
    await client.put('/_sandbox/assumptions/included_minutes', { value: 14 });
    for (let n = 0; n < 4; n++) {
      expect((await client.dial('+12125550100', playing('answered;ring=2s;talk=61s'))).status).toBe(202);
    }
    const before = [(await client.get('/v1/calls')).body.meta, (await client.get('/v1/usage')).body];
    await sandbox.close();
    client = await start(options);
    expect([(await client.get('/v1/calls')).body.meta, (await client.get('/v1/usage')).body]).toEqual(before);
    expectError(await client.dial('+12125550100'), 402, 'voice_usage_exhausted');
    await sandbox.close();
    // What a server that keeps fewer finds too much goes when the next call ends.
    client = await start({ ...options, maxCalls: 1 });
    await client.put('/_sandbox/assumptions/included_minutes', { value: 20 });
    await client.dial('+12125550100', playing('answered;ring=2s;talk=61s'));
    expect((await client.get('/v1/calls')).body.meta.total_results).toBe(before[0].total_results - 1);
    expect((await client.get('/v1/usage')).body.data.minutes_used).toBe(before[1].data.minutes_used + 2);
  });
});
