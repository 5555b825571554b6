// The memory budget as a setting, and as health shows it (`interface.md` section 1).
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { formatSize, parseSize } from '../../src/budget/size.ts';
import { createSandbox } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';

const MB = 1024 ** 2;

describe('a size', () => {
  it.each([
    ['512mb', 512 * MB],
    ['512M', 512 * MB],
    ['512MiB', 512 * MB],
    ['1.5 gb', 1536 * MB],
    ['64k', 65_536],
    ['16777216', 16 * MB],
    ['100b', 100],
  ])('is read from %s', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', 'mb', '-1mb', '1e9', '1,5gb', '1 tbb', '0x10', '1..5k'])('is not read from "%s"', (text) => {
    expect(parseSize(text)).toBeUndefined();
  });

  it('is shown in the largest unit that fits', () => {
    expect([0, 1023, 1536, 512 * MB, 1024 * MB].map(formatSize)).toEqual([
      '0 bytes',
      '1023 bytes',
      '1.5 KB',
      '512 MB',
      '1 GB',
    ]);
  });
});

describe('the memory budget', () => {
  const limitsOf = (...given: Parameters<typeof createBudget>): Record<string, number> =>
    Object.fromEntries(Object.values(createBudget(...given).shares).map(({ name, limit }) => [name, limit / MB]));

  it('takes what is on the heap from its limit, and the rest from that of the process', () => {
    const container = { total: 1024 * MB, heap: 512 * MB };
    expect(limitsOf(null, container)).toEqual({
      journals: expect.closeTo(76.8),
      records: 128,
      deliveries: expect.closeTo(51.2),
      documents: 128,
      connections: 256,
    });
  });

  it('never exceeds what the process can use, nor 256 MB of journals', () => {
    const machine = { total: 8192 * MB, heap: 4096 * MB };
    expect(limitsOf(65_536 * MB, machine)).toEqual(limitsOf(null, machine));
    expect(limitsOf(null, machine).journals).toBe(256);
    expect(limitsOf(1024 * MB, machine).records).toBe(256);
  });

  it('is shown by health, with the shares', async () => {
    const sandbox = await createSandbox({ memory: '64mb' });
    const { body } = await clientOf(sandbox.url, null).get('/_sandbox/health');
    await sandbox.close();
    expect(body.data.memory.limit_bytes).toBe(64 * MB);
    expect(Object.keys(body.data.memory.shares)).toEqual([
      'journals',
      'records',
      'deliveries',
      'documents',
      'connections',
    ]);
    expect(body.data.memory.shares.connections).toMatchObject({ limit_bytes: 16 * MB, dropped: 0, refused: 0 });
  });
});
