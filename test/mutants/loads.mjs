// Whether each file of an area can be loaded. A mutant that fails at that leaves the area's test files without tests,
// which Stryker takes for tests that have noticed nothing.
import { expect, it } from 'vitest';
import { areas } from './areas.mjs';

const { mutate } = areas[process.env.MUTANTS_AREA ?? 'signing'];
const modules = Object.entries(import.meta.glob('../../src/*/*.ts')).filter(([path]) => {
  const file = path.slice('../../'.length);
  return mutate.includes(file) || mutate.includes(file.replace(/[^/]+$/, '*.ts'));
});

it('has files', () => expect(modules.length).toBeGreaterThan(0));

it.each(modules)('loads %s', async (_, load) => {
  await load();
});
