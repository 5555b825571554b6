// The assumption ledger of a world: `interface.md` section 9.
import {
  type Assumption,
  type AssumptionName,
  type AssumptionValues,
  assumed,
  assumptionNames,
  assumptions,
  readAssumption,
} from '../assumptions/catalogue.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { Page } from './pages.ts';

type Parts = Pick<SandboxContext, 'store' | 'settings'>;

export type AssumptionView = ReturnType<typeof serializeAssumption>;

function serializeAssumption({ settings }: Parts, name: AssumptionName, values: AssumptionValues) {
  const row: Assumption = assumptions[name];
  return {
    name,
    value: name === 'concurrent_calls' ? (values[name] ?? settings.concurrentCalls ?? 'off') : assumed(values, name),
    default: row.default,
    allowed: row.allowed ?? null,
    rule: row.rule,
    words: row.words,
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
  given: string,
  value: string | number,
): Promise<AssumptionView> {
  const name = assumptionNames.find((known) => known === given);
  if (!name) {
    throw new ApiError('not_found', {
      message: `No assumption named ${quote(given)} exists${didYouMean(given, assumptionNames)}`,
      hint: 'List the assumptions with GET /_sandbox/assumptions.',
    });
  }
  const read = readAssumption(name, value);
  if ('problem' in read) throw invalidField('value', read.problem);
  return parts.store.transaction(world, (tx) => {
    const values = { ...tx.state('assumptions'), [name]: read.value };
    tx.setState('assumptions', values);
    return serializeAssumption(parts, name, values);
  });
}
