// Lets the sandboxes of the tests keep their worlds in Redis: `vitest run --mode redis`. One server runs for all tests, with
// a database for each sandbox.
import { settings } from '../../src/settings-table.ts';

/** The port of the server; absent if the tests run on memory. */
const port = process.env.TEST_REDIS_PORT;

export const isOnRedis = port !== undefined;

/** How many sandboxes a worker opens before it takes the database of the first again, which is closed by then. */
const DATABASES = 1600;

let opened = 0;

/** From now on, sandboxes that no test gives a store or a state file open a store in Redis. */
export function openStoresInRedis(): void {
  const first = (Number(process.env.VITEST_POOL_ID) - 1) * DATABASES;
  const { parse } = settings.state;
  // The settings of a sandbox are parsed in the order of the table, in which `state` comes before `store`.
  let hasState = false;
  Object.defineProperty(settings.state, 'parse', {
    value(text: string) {
      hasState = true;
      return parse(text);
    },
  });
  Object.defineProperty(settings.store, 'default', {
    get() {
      const isInFile = hasState;
      hasState = false;
      opened += 1;
      return isInFile ? 'memory' : `redis://127.0.0.1:${port}/${first + (opened % DATABASES)}`;
    },
  });
}
