// A server that is killed under load, with `--state`: `interface.md` section 1. `CRASH_ROUNDS=50` tries it more often.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { crashRepeatedly } from '../support/crashes.ts';
import { temporaryFolders } from '../support/folders.ts';
import { programs } from '../support/program.ts';

const folderOf = temporaryFolders();
const { serve } = programs();
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 5);

it('gives out no id twice and sends no webhook twice, however often it is killed', async () => {
  const figures = await crashRepeatedly(serve, join(folderOf(), 'state.json'), ROUNDS, 1000);
  process.stdout.write(`${JSON.stringify({ ...figures, violations: figures.violations.length })}\n`);
  expect(figures.violations.slice(0, 20)).toEqual([]);
  expect(figures.longestLoss).toBeLessThanOrEqual(figures.allowedLoss);
  expect(figures.webhooks).toBeGreaterThan(ROUNDS * 10);
});
