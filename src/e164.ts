// Phone numbers in E.164 form, the only form in which the contract, fixtures and scenarios write them.

export const e164Form = /^\+[1-9]\d{1,14}$/;

/** The area code of a number in North America; null for any other number. */
export function areaCodeOf(number: string): string | null {
  return /^\+1(\d{3})\d{7}$/.exec(number)?.[1] ?? null;
}
