// Makes the parts of a new world, or refuses to create it.
import { ApiError, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { Fixture } from '../fixtures/fixture.ts';
import type { Store } from '../store/store.ts';

export function fixtureNamed(name: string, fixtures: ReadonlyMap<string, Fixture>): Fixture {
  const fixture = fixtures.get(name);
  if (fixture) return fixture;
  const names = [...fixtures.keys()];
  throw new ApiError('validation_error', {
    fields: {
      fixtures: `${quote(name)} is not a fixture; must be one of ${names.join(', ')}${didYouMean(name, names)}`,
    },
  });
}

/** Of `world-1`, `world-2`, … */
export async function firstFreeName(store: Store): Promise<string> {
  let number = 1;
  while (await store.world(`world-${number}`)) number += 1;
  return `world-${number}`;
}

export const nameTaken = (name: string): ApiError =>
  new ApiError('conflict', {
    message: `The world ${name} already exists.`,
    hint: 'Choose another name, or reset the existing world.',
  });

export const tooMany = (maxWorlds: number): ApiError =>
  new ApiError('conflict', {
    message: `There are ${maxWorlds} worlds, the maximum (--max-worlds).`,
    hint: 'Delete a world with DELETE /_sandbox/worlds/{name}, or raise the maximum.',
  });
