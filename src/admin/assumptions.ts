// The assumption ledger of a world: `interface.md` section 9.
import {
  type Assumption,
  type AssumptionName,
  type AssumptionValues,
  assumptionNames,
  assumptions,
} from '../assumptions/catalogue.ts';
import { type GivenValue, isAssumption, withValue } from '../assumptions/values.ts';
import { loadContract } from '../contract/document.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { Page } from './pages.ts';

type Parts = Pick<SandboxContext, 'store' | 'settings'>;

export type AssumptionView = ReturnType<typeof serializeAssumption>;

function serializeAssumption({ settings }: Parts, name: AssumptionName, values: AssumptionValues) {
  const row: Assumption = assumptions[name];
  const own: Readonly<Record<string, string | number>> = values;
  const usual = name === 'concurrent_calls' ? (settings.concurrentCalls ?? 'off') : row.default;
  return {
    name,
    value: own[name] ?? usual,
    default: row.default,
    allowed: row.allowed ?? null,
    rule: row.rule,
    words: row.words,
    /** Operations and event types whose requests, responses or bodies rest on it. */
    used_in: loadContract().usesOf(name),
  };
}

/** Every assumption with its value in this world; they are few, and come as one page. */
export async function listAssumptions(parts: Parts, world: string): Promise<Page<AssumptionView>> {
  const values = await parts.store.transaction(world, (tx) => tx.state('assumptions'));
  const data = assumptionNames.map((name) => serializeAssumption(parts, name, values));
  return { data, meta: { cursor: null, total_results: data.length, page_size: data.length } };
}

/** Sets an assumption of this world, which survives a reset; `not_found` for an unknown name. */
export async function setAssumption(
  parts: Parts,
  world: string,
  name: string,
  value: GivenValue,
): Promise<AssumptionView> {
  if (!isAssumption(name)) {
    throw new ApiError('not_found', {
      message: `No assumption named ${quote(name)} exists${didYouMean(name, assumptionNames) || '.'}`,
      hint: 'List the assumptions with GET /_sandbox/assumptions.',
    });
  }
  return parts.store.transaction(world, (tx) => {
    const changed = withValue(tx.state('assumptions'), name, value);
    if ('problem' in changed) throw invalidField('value', changed.problem);
    tx.setState('assumptions', changed.values);
    return serializeAssumption(parts, name, changed.values);
  });
}
