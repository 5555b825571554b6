// The places of the faults of a file, for files of any size.
import { expect, it } from 'vitest';
import { z } from 'zod';
import { checkFile, readYamlFile } from '../../src/yaml-with-locations.ts';

it('are found in about the time that the file takes to be read, however many they are', () => {
  const text = Array.from({ length: 4000 }, (_, index) => `field_${index}: 1`).join('\n');
  const timeOf = (work: () => void): number => {
    const began = performance.now();
    work();
    return performance.now() - began;
  };
  const read = () => readYamlFile('large.yaml', text, z.strictObject({}));
  read();
  let file = read();
  const reading = timeOf(() => {
    file = read();
  });
  const locating = timeOf(() => expect(() => checkFile(file, () => {})).toThrow(/^large\.yaml:1:1: field_0/));
  expect(locating / reading).toBeLessThan(5);
});
