// How much of the scenario files that were read is kept for whoever reads them next.
import { expect, it } from 'vitest';
import { ScenarioCache } from '../../src/scenarios/scenario-cache.ts';

/** A file of 300 lines of talk: 7,000 characters, and half a megabyte once it is read. */
const textOf = (name: string) => ({
  name,
  file: `${name}.yaml`,
  source: `kind: call\nsummary: ${name}\ntimeline: [{ after: 1s, trigger: ring }]\ntranscript:\n${'- {role: user, text: a}\n'.repeat(300)}`,
});

it('a cache of scenarios keeps no more than it has memory for, however short the texts are, of those that were read last', () => {
  const cache = new ScenarioCache();
  const make = (name: string) => cache.make(textOf(name), () => undefined);
  const first = make('first');
  make('second');
  expect(make('first')).toBe(first);
  const others = Array.from({ length: 90 }, (_, n) => make(`other-${n}`));
  expect(make('other-89')).toBe(others.at(-1));
  expect(make('first')).not.toBe(first);
});
