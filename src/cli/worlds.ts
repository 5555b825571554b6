// `ringback worlds list|create|delete`: the worlds of a server.
import type { Command } from 'commander';
import type { ControlClient } from '../client/control-client.ts';
import { SandboxError } from '../client/sandbox-error.ts';
import { clockForm, parseClockSetting } from '../clock/clock.ts';
import { type ServerFlags, withServer } from './connect.ts';
import { addFlag } from './flag-value.ts';
import { fieldList, print, printJson, tableOr } from './output.ts';
import { needsCommand } from './usage.ts';

interface CreateFlags extends ServerFlags {
  readonly fixtures?: string;
  readonly clock?: string;
}

export function define(command: Command): void {
  needsCommand(command);
  const list = command.command('list').description('list the worlds of the server');
  withServer(list, async (control, { json }) => {
    const worlds = await control.all('listWorlds');
    if (json) return printJson(worlds);
    const rows = worlds.map(({ name, origin, fixture, clock }) => [name, origin, fixture, clock]);
    print(
      tableOr(
        'There are no worlds.',
        ['NAME', { heading: 'ORIGIN', dropped: 2 }, { heading: 'FIXTURE', dropped: 1 }, 'CLOCK'],
        rows,
      ),
    );
  });
  defineCreate(command.command('create').description('create a world, which stays until it is deleted'));
  const remove = command
    .command('delete')
    .description('delete a world and everything in it')
    .argument('<name>', 'its name');
  withServer(remove, async (control, { json, ...flags }, [name = '']) => {
    await deleteWorld(control, name, flags);
    if (json) printJson({ name, deleted: true });
    else print(`Deleted ${name}.`);
  });
}

/** Without a control token, a world is deleted with its own key, as its creator would do. */
async function deleteWorld(control: ControlClient, name: string, { key, token }: ServerFlags): Promise<void> {
  const isGiven = key !== undefined || token !== undefined;
  await control.call('deleteWorld', { path: { name } }).catch((error) => {
    const isOfAnother = error instanceof SandboxError && error.code === 'forbidden';
    if (isGiven || !isOfAnother) throw error;
    return control.forWorld(name).call('deleteWorld', { path: { name } });
  });
}

function defineCreate(command: Command): void {
  command.argument('[name]', 'its name (default: the first free one of world-1, world-2, …)');
  addFlag(command, '--fixtures <name>', 'the fixture that it is made from (default: `default`)');
  addFlag(
    command,
    '--clock <mode>',
    "the mode of its clock (default: the server's)",
    clockForm,
    Object.assign((text: string) => (parseClockSetting(text) === undefined ? undefined : text), {
      known: parseClockSetting.known,
    }),
  );
  withServer<CreateFlags>(command, async (control, { fixtures, clock, json }, [name]) => {
    const world = await control.call('createWorld', { body: { name, fixtures, clock } });
    if (json) return printJson(world);
    print(
      fieldList([
        ['name', world.name],
        ['API key', world.api_key],
        ['signing secret', world.signing_secret],
        ['organization', world.organization_id],
        ...(world.control_key === undefined ? [] : [['control key', world.control_key] as const]),
      ]),
    );
  });
}
