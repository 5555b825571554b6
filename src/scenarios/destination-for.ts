// For tests of integrators: a number to call, by the scenario that it plays.
import { didYouMean } from '../errors/did-you-mean.ts';
import { magicNumbers } from './numbers.ts';

export type ScenarioWithNumber = keyof typeof magicNumbers;

/**
 * The magic number of a scenario, `+1 NPA 555 01XX`; parallel tests take different area codes (three digits, the first
 * from 2 to 9, and not 211 to 911, which no number begins with).
 */
export function destinationFor(scenario: ScenarioWithNumber, areaCode = '212'): string {
  if (!Object.hasOwn(magicNumbers, scenario)) {
    const known = Object.keys(magicNumbers);
    throw new TypeError(
      `"${scenario}" is no scenario with a number; one of ${known.join(', ')}${didYouMean(scenario, known)}`,
    );
  }
  if (!/^[2-9](?!11)\d\d$/.test(areaCode))
    throw new TypeError(`"${areaCode}" is no area code: three digits, the first from 2 to 9, the others not 11`);
  return `+1${areaCode}55501${magicNumbers[scenario]}`;
}
