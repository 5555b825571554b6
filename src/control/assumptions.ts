// The assumption ledger of a world: `interface.md` section 9.
import { z } from 'zod';
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
import { ApiError, invalidField } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { route } from './route.ts';

function serializeAssumption(sandbox: SandboxContext, name: AssumptionName, values: AssumptionValues) {
  const row: Assumption = assumptions[name];
  const setting = name === 'concurrent_calls' ? (sandbox.settings.concurrentCalls ?? 'off') : undefined;
  return {
    name,
    value: setting === undefined ? assumed(values, name) : (values[name] ?? setting),
    default: row.default,
    allowed: row.allowed ?? null,
    rule: row.rule,
    words: row.words,
  };
}

export const assumptionRoutes = [
  route({
    method: 'get',
    path: '/assumptions',
    summary: 'Every assumption with its value and the words of the specification it stands in for',
    async handle({ sandbox, world }) {
      const values = await sandbox.store.transaction(world, (tx) => tx.state('assumptions'));
      const data = assumptionNames.map((name) => serializeAssumption(sandbox, name, values));
      return { data, meta: { cursor: null, total_results: data.length, page_size: data.length } };
    },
  }),
  route({
    method: 'put',
    path: '/assumptions/:name',
    summary: 'Set an assumption for this world; it survives reset',
    body: z.strictObject({ value: z.union([z.string(), z.number()]) }),
    async handle({ sandbox, world, params, body: { value } }) {
      const name = assumptionNames.find((known) => known === params.name);
      if (!name) {
        const suggestion = didYouMean(params.name ?? '', assumptionNames);
        throw new ApiError('not_found', { message: `There is no assumption "${params.name}"${suggestion}` });
      }
      const read = readAssumption(name, value);
      if ('problem' in read) throw invalidField('value', read.problem);
      return sandbox.store.transaction(world, (tx) => {
        const values = { ...tx.state('assumptions'), [name]: read.value };
        tx.setState('assumptions', values);
        return { data: serializeAssumption(sandbox, name, values) };
      });
    },
  }),
];
