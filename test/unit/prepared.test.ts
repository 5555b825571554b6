import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { prepareFixtures } from '../../src/fixtures/library.ts';
import { preparedFrom } from '../../src/prepared.ts';
import { prepareScenarios } from '../../src/scenarios/library.ts';

const built: unknown = JSON.parse(readFileSync(new URL('../../dist/prepared.json', import.meta.url), 'utf8'));

it('starts the built server with the scenarios and fixtures that the sources make of the files', () => {
  const made = Object.fromEntries<unknown>([prepareScenarios(), ...prepareFixtures()]);
  expect(built).toEqual(made);
  expect(Object.keys(made).length).toBeGreaterThan(2);
});

it('reads files anew that are not those of the build', () => {
  expect(preparedFrom(['kind: call\nsummary: An edited scenario.\n'])).toBeUndefined();
});
