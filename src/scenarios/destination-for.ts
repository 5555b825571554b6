// For tests of integrators: a number to call, by the scenario that it plays.
import { magicNumbers } from './numbers.ts';

export type ScenarioWithNumber = keyof typeof magicNumbers;

/**
 * The magic number of a scenario, `+1 NPA 555 01XX`; parallel tests take different area codes (three digits, the first
 * from 2 to 9).
 */
export function destinationFor(scenario: ScenarioWithNumber, areaCode = '212'): string {
  if (!/^[2-9]\d\d$/.test(areaCode))
    throw new TypeError(`"${areaCode}" is no area code: three digits, the first from 2 to 9`);
  return `+1${areaCode}55501${magicNumbers[scenario]}`;
}
