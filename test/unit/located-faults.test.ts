// The places of the faults of a file, for files of any size.
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { yaml } from '../../src/lazy-modules.ts';
import { checkFile, readYamlFile } from '../../src/yaml-with-locations.ts';

it('are found in a few looks at each key, however many faults there are', () => {
  const fields = 300;
  const text = Array.from({ length: fields }, (_, index) => `field_${index}: 1`).join('\n');
  const file = readYamlFile('large.yaml', text, z.strictObject({}));
  const looks = vi.spyOn(yaml(), 'isScalar');
  expect(() => checkFile(file, () => {})).toThrow(/^large\.yaml:1:1: field_0/);
  expect(looks.mock.calls.length).toBeGreaterThanOrEqual(fields);
  expect(looks.mock.calls.length).toBeLessThan(10 * fields);
  looks.mockRestore();
});
