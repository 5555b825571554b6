// What is generated is up to date: the tables of the guides, the contract's types, the constants of magic numbers.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTROL_TYPES, controlTypes } from '../scripts/control-types.ts';
import { documents, generatedFiles, generatedParts, partNames } from '../scripts/generated.ts';
import { destinationFor } from '../src/index.ts';
import { isOnRedis } from './support/on-redis.ts';
import { programs } from './support/program.ts';
import { thorough } from './support/thorough.ts';

const { bash } = programs();

describe('npm run generate', () => {
  // The guide of the settings has the default of the store.
  it.skipIf(isOnRedis).each([...generatedFiles()])('has written %s', (file, content) => {
    expect(readFileSync(file, 'utf8') === content, 'run npm run generate').toBe(true);
  });

  it.runIf(thorough)('has written the types of the contract', async () => {
    const { stdout, stderr } = await bash('node node_modules/openapi-typescript/bin/cli.js openapi.yaml');
    expect(
      stdout.trim() === readFileSync('src/contract/wire.d.ts', 'utf8').trim(),
      `run npm run generate\n${stderr}`,
    ).toBe(true);
  });

  it.runIf(thorough)('has written the types of the control API', async () => {
    expect((await controlTypes()) === readFileSync(CONTROL_TYPES, 'utf8'), 'run npm run generate').toBe(true);
  });

  it('makes every part that it knows for exactly one guide', () => {
    const shown = documents().flatMap((file) => generatedParts(readFileSync(file, 'utf8')));
    expect(shown.sort()).toEqual([...partNames].sort());
  });
});

describe('the constants of magic numbers', () => {
  it('make destinations in any area code', () => {
    expect(destinationFor('busy')).toBe('+12125550101');
    expect(destinationFor('voicemail', '905')).toBe('+19055550103');
    expect(() => destinationFor('busy', '1')).toThrow('"1" is');
  });
});
