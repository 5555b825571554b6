// The calling rules of a world, which hold for its sub-entities too: `interface.md` section 5.
import { callingRulesOf } from '../domain/calls/calling-rules.ts';
import { countAhead } from '../domain/calls/calls-today.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { ApiError, faultsOf } from '../errors/api-error.ts';
import { notDialable } from '../fixtures/file/fields.ts';
import { type CallingRules, openCallingRules } from '../model.ts';
import { isDialable } from '../number-plan.ts';

type Parts = Pick<SandboxContext, 'store' | 'runTask' | 'turns'>;

/** Rules that forbid nothing if the world has none. */
export function readCallingRules({ store }: Parts, world: string): Promise<CallingRules> {
  return store.transaction(world, (tx) => callingRulesOf(tx) ?? openCallingRules);
}

/**
 * Replaces the rules, from now on and until a reset. Calls that were placed today count. `validation_error` for numbers that
 * nobody can be called on.
 */
export async function setCallingRules(parts: Parts, world: string, given: CallingRules): Promise<CallingRules> {
  const rules = await parts.turns.workThrough(world, withNumbersChecked(given));
  for (;;) {
    const before = await readCallingRules(parts, world);
    const count = isCountedOtherwise(before, rules) ? await countAhead(parts, world, rules) : undefined;
    const isSet = await transact(parts, world, null, (tx) => {
      const organization = tx.get('organizations', tx.world.organization_id);
      if (!organization) throw new Error(`the world ${world} has no organization`);
      // Others have set rules meanwhile.
      if (!count && isCountedOtherwise(callingRulesOf(tx) ?? openCallingRules, rules)) return false;
      tx.put('organizations', { ...organization, private: { ...organization.private, calling_rules: rules } });
      count?.(tx);
      return true;
    });
    if (isSet) return rules;
  }
}

/** Whether calls that were placed under the old rules were not counted as the new ones need it. */
const isCountedOtherwise = (before: CallingRules, now: CallingRules): boolean =>
  now.calls_per_day !== null && (before.calls_per_day === null || before.time_zone !== now.time_zone);

const lists = ['do_not_call', 'opted_out', 'no_consent', 'paused'] as const;
/** How many numbers are judged at once. */
const AT_ONCE = 50;

/** The rules with each number once. */
function* withNumbersChecked(rules: CallingRules): Generator<void, CallingRules> {
  const wrong: string[] = [];
  for (const list of lists) {
    for (const [index, number] of rules[list].entries()) {
      if (!isDialable(number)) wrong.push(`${list}.${index}`);
      if (index % AT_ONCE === AT_ONCE - 1) yield;
    }
  }
  if (wrong.length > 0) {
    const faults = faultsOf(
      wrong,
      (field) => field,
      () => notDialable,
    );
    throw new ApiError('validation_error', faults);
  }
  return { ...rules, ...Object.fromEntries(lists.map((list) => [list, [...new Set(rules[list])]])) };
}
