// The calling rules of a world, which hold for its sub-entities too: `interface.md` section 5.
import { callingRulesOf } from '../domain/calls/calling-rules.ts';
import { countAhead } from '../domain/calls/calls-today.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { type CallingRules, openCallingRules } from '../model.ts';

type Parts = Pick<SandboxContext, 'store' | 'runTask' | 'turns'>;

/** Rules that forbid nothing if the world has none. */
export function readCallingRules({ store }: Parts, world: string): Promise<CallingRules> {
  return store.transaction(world, (tx) => callingRulesOf(tx) ?? openCallingRules);
}

/** Replaces the rules, from now on and until a reset. Calls that were placed today count. */
export async function setCallingRules(parts: Parts, world: string, rules: CallingRules): Promise<CallingRules> {
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
