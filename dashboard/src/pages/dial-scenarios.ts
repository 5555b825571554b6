// What the choice of a scenario on the pad means.
import type { Scenario as Offer } from '../../../src/client/shown.ts';

export type { Offer };

/** A scenario that only refuses a request cannot be played by a call from outside. */
export const isPlayable = ({ timeline = [] }: Offer): boolean => timeline.length > 0;

/** The summary of the scenario, or of the one that belongs to a magic number. */
export function hintOf(chosen: Offer | undefined, to: string, all: readonly Offer[]): string {
  if (chosen) return chosen.summary ?? '';
  const usual = all.find((offer) => offer.default)?.summary ?? '';
  const [, digits] = /^\+1\d{3}55501(\d\d)$/.exec(to.replaceAll(/[^+\d]/g, '')) ?? [];
  const magic = digits === undefined ? undefined : all.find((offer) => offer.numbers?.includes(digits));
  return magic?.summary ?? `An ordinary number. ${usual}`;
}

export const parametersOf = ({ parameters = {} }: Offer): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
