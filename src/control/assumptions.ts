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
import type { House } from '../engine/house.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { nearest } from '../errors/nearest.ts';
import { route } from './route.ts';

function shownAssumption(house: House, name: AssumptionName, values: AssumptionValues) {
  const row: Assumption = assumptions[name];
  const setting = name === 'concurrent_calls' ? (house.settings.concurrentCalls ?? 'off') : undefined;
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
    async handle({ house, world }) {
      const values = await house.store.transaction(world, (tx) => tx.cell('assumptions'));
      const data = assumptionNames.map((name) => shownAssumption(house, name, values));
      return { data, meta: { cursor: null, total_results: data.length, page_size: data.length } };
    },
  }),
  route({
    method: 'put',
    path: '/assumptions/:name',
    summary: 'Set an assumption for this world; it survives reset',
    body: z.strictObject({ value: z.union([z.string(), z.number()]) }),
    async handle({ house, world, params, body: { value } }) {
      const name = assumptionNames.find((known) => known === params.name);
      if (!name) {
        const suggestion = nearest(params.name ?? '', assumptionNames);
        throw new ApiError('not_found', { message: `There is no assumption "${params.name}"${suggestion}` });
      }
      const read = readAssumption(name, value);
      if ('problem' in read) throw invalidField('value', read.problem);
      return house.store.transaction(world, (tx) => {
        const values = { ...tx.cell('assumptions'), [name]: read.value };
        tx.setCell('assumptions', values);
        return { data: shownAssumption(house, name, values) };
      });
    },
  }),
];
