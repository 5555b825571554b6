// `ringback scenarios list|show|validate|play|new`: the scenarios of a server, and local scenario files.
import type { Command } from 'commander';
import type { ControlOperations } from '../client/control-client.ts';
import type { ItemOf } from '../client/operation-types.ts';
import { scenarioKinds } from '../lifecycles/index.ts';
import type { Column } from './columns.ts';
import { type ServerFlags, withServer } from './connect.ts';
import { addFlag, oneOf } from './flag-value.ts';
import { ArgumentOfKnown } from './known-values.ts';
import { note, plainLines, print, printJson, tableOr } from './output.ts';
import { bundledScenarios, defineNew, definePlay, defineValidate } from './scenario-files.ts';
import { needsCommand } from './usage.ts';

type Scenario = ItemOf<ControlOperations['listScenarios']>;
type Kind = Exclude<NonNullable<ControlOperations['listScenarios']['parameters']['query']>['kind'], undefined>;

interface ListFlags extends ServerFlags {
  readonly kind?: Kind;
}

const columns: readonly (string | Column)[] = [
  'NAME',
  { heading: 'KIND', dropped: 3 },
  { heading: 'NUMBERS', dropped: 1 },
  { heading: 'WHAT HAPPENS', least: 30, dropped: 2 },
];

export const kindNames = scenarioKinds.join(', ');

export function define(command: Command): void {
  needsCommand(command);
  const list = command.command('list').description('list the scenarios of the world, with their magic numbers');
  addFlag(list, '--kind <kind>', `only those of a kind: ${kindNames}`, `one of ${kindNames}`, oneOf(scenarioKinds));
  withServer<ListFlags>(list, async (control, { kind, json }) => {
    const scenarios = await control.all('listScenarios', { query: { kind } });
    if (json) printJson(scenarios);
    else print(tableOr('There are no scenarios.', columns, scenarios.map(rowOf)));
  });
  const show = command
    .command('show')
    .description('print a scenario as its file has it')
    .addArgument(new ArgumentOfKnown('<name>', 'its name', bundledScenarios));
  withServer(show, async (control, { json }, [name = '']) => {
    const scenario = await control.call('getScenario', { path: { name } });
    if (json) return printJson(scenario);
    if (scenario.error !== null) note(`ringback: its last edit was not accepted: ${scenario.error}`);
    print(plainLines((scenario.source ?? JSON.stringify(scenario, null, 2)).trimEnd()));
  });
  defineValidate(command.command('validate').description('check scenario files, without a server'));
  definePlay(command.command('play').description('play a scenario without a server, and draw what happens'));
  defineNew(command.command('new').description('write a scenario file to begin with'));
}

function rowOf({ name, kind = '', numbers = [], summary, error, default: isDefault }: Scenario): string[] {
  const last = numbers.map((digits) => `555-01${digits}`).join(', ');
  return [name, isDefault ? `${kind} (default)` : kind, last, error === null ? (summary ?? '') : `broken: ${error}`];
}
