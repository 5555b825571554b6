// The calling rules of a world, which hold for its sub-entities too: `interface.md` section 5.
import { callingRulesOf } from '../domain/calls/calling-rules.ts';
import { recount } from '../domain/calls/calls-today.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { type CallingRules, openCallingRules } from '../model.ts';

type Parts = Pick<SandboxContext, 'store' | 'runTask' | 'turns'>;

/** Rules that forbid nothing if the world has none. */
export function readCallingRules({ store }: Parts, world: string): Promise<CallingRules> {
  return store.transaction(world, (tx) => callingRulesOf(tx) ?? openCallingRules);
}

/** Replaces the rules, from now on and until a reset. Calls that were placed today count. */
export function setCallingRules(parts: Parts, world: string, rules: CallingRules): Promise<CallingRules> {
  return transact(parts, world, null, (tx) => {
    const organization = tx.get('organizations', tx.world.organization_id);
    if (!organization) throw new Error(`the world ${world} has no organization`);
    const before = callingRulesOf(tx) ?? openCallingRules;
    tx.put('organizations', { ...organization, private: { ...organization.private, calling_rules: rules } });
    if (isCountedOtherwise(before, rules)) recount(tx);
    return rules;
  });
}

/** Whether calls that were placed under the old rules were not counted as the new ones need it. */
const isCountedOtherwise = (before: CallingRules, now: CallingRules): boolean =>
  before.calls_per_day === null || before.time_zone !== now.time_zone;
