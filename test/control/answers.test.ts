// Every route of the control API answers what its document says, and the examples of the document are such answers: they
// are recorded by `npm run generate`, and compared with a new recording here. The test client holds each answer of every
// test to its schema, so here it is enough that each route answers each of its successes.
import { beforeAll, expect, it } from 'vitest';
import { recordControlExamples, WITHOUT_EXAMPLE } from '../../scripts/control-examples.ts';
import recorded from '../../src/control/openapi/examples.json' with { type: 'json' };
import { controlRoutes } from '../../src/control/routes.ts';
import { exampleViolations, shownExamples } from '../support/control-contract.ts';
import { isOnRedis } from '../support/on-redis.ts';

const before: Readonly<Record<string, unknown>> = recorded;
const GENERATE = 'run npm run generate';

/** What only a server that starts or stops answers (test/cli/readyz.test.ts). */
const NOT_READY = 'getReadiness 503';
/** What a WebSocket alone is answered (test/stream/stream.test.ts). */
const UPGRADED = 'openStream 101';
/** What only a client that asks for a range of a file gets. */
const PAST_THE_END = 'getRecording 416';

/** How many entries the catalogues have, which changes with every scenario and every assumption. */
const sizes = ['total', 'total_results', 'page_size'];
const withoutSizes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, field) => (sizes.includes(key) ? undefined : field)));

let now: Awaited<ReturnType<typeof recordControlExamples>>;
beforeAll(async () => {
  now = await recordControlExamples();
});

it('every route answers each of its successes, with all fields of its schema and no other', () => {
  const all = controlRoutes.flatMap((route) => route.answer.statuses.map((status) => `${route.id} ${status}`));
  const asked = [...all.filter((each) => each !== NOT_READY && each !== UPGRADED), PAST_THE_END].sort();
  expect(now.answered, 'ask for it in test/support/control-walk.ts').toEqual(asked);
});

it('every success and every error of the document has an example, valid by its schema', () => {
  const shown = shownExamples();
  const without = shown.filter(({ example }) => example === undefined).map(({ name }) => name);
  expect(without.sort(), GENERATE).toEqual([WITHOUT_EXAMPLE, NOT_READY]);
  for (const each of shown.filter(({ example }) => example !== undefined)) {
    expect(exampleViolations(each), each.name).toEqual([]);
  }
});

// Of the store, health tells more on Redis.
it.skipIf(isOnRedis)('each example is what a sandbox answers now', () => {
  expect(Object.keys(before), GENERATE).toEqual([...now.examples.keys()]);
  for (const [name, value] of now.examples) {
    expect(withoutSizes(before[name]), `${name}: ${GENERATE}`).toEqual(withoutSizes(value));
  }
});
