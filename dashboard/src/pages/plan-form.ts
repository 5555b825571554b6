// The form of a delivery plan: what its fields say of a plan, and the plan that they make.
import type { DeliveryPlan } from '../../../src/client/shown.ts';
import { numberIn, wordsOf } from '../format.ts';

export const shares = ['drop', 'duplicate', 'reorder', 'tamper', 'wrong_secret'] as const;
export const timeouts = ['connect', 'answer', 'total'] as const;
export const usualTimeouts = { connect: '3s', answer: '10s', total: '15s' } as const;

/** Stands for a list of waits in the choice of retries. */
export const OWN_WAITS = 'own';

export type PlanField = (typeof shares)[number] | (typeof timeouts)[number] | 'delay' | 'retries' | 'waits';

/** The text of each field. */
export type PlanFields = Readonly<Partial<Record<PlanField, string>>>;

export function fieldsOf({ retries, timeout = {}, delay = '', ...plan }: DeliveryPlan): PlanFields {
  return {
    ...Object.fromEntries(shares.map((name) => [name, String(plan[name] ?? '')])),
    ...Object.fromEntries(timeouts.map((name) => [name, timeout[name] ?? ''])),
    delay,
    retries: retries === undefined ? '' : typeof retries === 'string' ? retries : OWN_WAITS,
    waits: typeof retries === 'object' ? retries.join(', ') : '',
  };
}

/** Throws an error that can be shown. What the form does not have stays as it is. */
export function planOf({ paused }: DeliveryPlan, given: PlanFields): DeliveryPlan {
  const text = (name: PlanField): string => given[name]?.trim() ?? '';
  const filled = <Name extends PlanField>(names: readonly Name[]): Name[] => names.filter((name) => text(name) !== '');
  const timeout = Object.fromEntries(filled(timeouts).map((name) => [name, text(name)]));
  const retries = retriesOf(text('retries'), text('waits'));
  return {
    ...Object.fromEntries(filled(shares).map((name) => [name, numberIn(wordsOf(name), text(name))])),
    ...(text('delay') === '' ? {} : { delay: text('delay') }),
    ...(retries === undefined ? {} : { retries }),
    ...(Object.keys(timeout).length === 0 ? {} : { timeout }),
    ...(paused === undefined ? {} : { paused }),
  };
}

function retriesOf(chosen: string, waits: string): DeliveryPlan['retries'] {
  // The field offers the names that the contract has; the server refuses any other.
  if (chosen !== OWN_WAITS) return chosen === '' ? undefined : (chosen as 'none');
  const list = waits.split(/[\s,]+/).filter((wait) => wait !== '');
  if (list.length === 0) throw new Error('Waits must have the wait before each further attempt, such as 5s, 1m, 1h');
  return list;
}
