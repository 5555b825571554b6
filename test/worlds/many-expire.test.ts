// Many worlds that expire at once: `--world-ttl`.
import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { readOptions } from '../../src/config.ts';
import { createLog } from '../../src/pino-log.ts';
import { openSandbox } from '../../src/sandbox.ts';

it('worlds that expire together are deleted in turns with requests', async () => {
  const { context, close } = await openSandbox(readOptions({}), await createLog('silent', null));
  const { worlds, store } = context;
  const autoWorlds = async (): Promise<number> =>
    (await store.worlds()).filter(({ origin }) => origin === 'auto').length;
  for (let n = 0; n < 2000; n++) await worlds.enterTestWorld(`w${n}`);
  const later = store.systemTime() + 2 * 3_600_000;
  vi.spyOn(store, 'systemTime').mockReturnValue(later);
  const left: number[] = [];
  const deletion = worlds.deleteExpired();
  do {
    await setImmediate();
    left.push(await autoWorlds());
  } while (left.at(-1) !== 0);
  await deletion;
  expect(left.filter((count) => count > 0 && count < 2000).length).toBeGreaterThan(1);
  await close(0);
});
