// The magic number to call to play a scenario, for customers' tests.
import { didYouMean } from '../errors/did-you-mean.ts';
import { magicNumbers } from './numbers.ts';

export type ScenarioWithNumber = keyof typeof magicNumbers;

/**
 * The magic number of a scenario, `+1 NPA 555 01XX`. Use different area codes in parallel tests: three digits, the first
 * from 2 to 9, but not 211 to 911. Throws TypeError for an unknown scenario or area code.
 */
export function destinationFor(scenario: ScenarioWithNumber, areaCode = '212'): string {
  if (!Object.hasOwn(magicNumbers, scenario)) {
    const allowed = Object.keys(magicNumbers);
    throw new TypeError(
      `"${scenario}" is not a scenario with a magic number; allowed: ${allowed.join(', ')}${didYouMean(scenario, allowed)}`,
    );
  }
  if (!/^[2-9](?!11)\d\d$/.test(areaCode))
    throw new TypeError(
      `"${areaCode}" is not an area code: it must be three digits, the first from 2 to 9, and not end in 11`,
    );
  return `+1${areaCode}55501${magicNumbers[scenario]}`;
}
