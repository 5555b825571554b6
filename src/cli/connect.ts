// The server and the world that a command acts on: flags over environment over defaults. Every command that talks to a
// server gets its client here.
import type { Command } from 'commander';
import { type ControlClient, createControlClient } from '../client/control-client.ts';
import { readTestKey, readWorldName, worldNameForm } from '../identity/test-keys.ts';
import { WrongUse } from '../wrong-use.ts';
import { addFlag } from './flag-value.ts';
import { given, serverAddress } from './server-address.ts';

/** What every command takes that speaks to a server. */
export interface ServerFlags {
  readonly url?: string;
  readonly key?: string;
  readonly token?: string;
  readonly world?: string;
  readonly json?: true;
}

export function addServerFlags(command: Command, json = 'print JSON'): Command {
  addFlag(
    command,
    '--url <url>',
    'the server (RINGBACK_URL; default: this machine, port 4747)',
    'an http: or https: address',
  );
  addFlag(command, '--key <key>', 'an API key of the world (RINGBACK_KEY)', 'an API key');
  addFlag(command, '--token <token>', "the server's control token (RINGBACK_CONTROL_TOKEN)", 'a control token');
  addFlag(command, '--world <name>', 'the world (default: that of the key, else `default`)', worldNameForm, (text) =>
    readWorldName(text) === undefined ? undefined : text,
  );
  return command.option('--json', json);
}

/** The address and the credentials; throws WrongUse. */
export function readServerFlags(flags: ServerFlags) {
  const url = serverAddress(flags.url, undefined);
  if (flags.key !== undefined && flags.token !== undefined) {
    throw new WrongUse('--key and --token exclude each other: a server with a control token refuses keys');
  }
  if (flags.key !== undefined && flags.world !== undefined) {
    throw new WrongUse('--key and --world exclude each other: the key names its world');
  }
  const key = flags.key ?? given('RINGBACK_KEY');
  const token = flags.key === undefined ? (flags.token ?? given('RINGBACK_CONTROL_TOKEN')) : undefined;
  if (token !== undefined) return { url, token, world: flags.world ?? worldOf(key) };
  return flags.world === undefined ? { url, key } : { url, world: flags.world };
}

/** The world that a test key names; `undefined` for other keys, whose world only the server knows. */
function worldOf(key: string | undefined): string | undefined {
  const read = key === undefined ? undefined : readTestKey(key);
  return read && 'world' in read ? read.world : undefined;
}

export const connect = (flags: ServerFlags): ControlClient => createControlClient(readServerFlags(flags));

/** An argument can be empty by mistake: a variable of a script that is not set. */
function refuseEmpty({ args, registeredArguments }: Command): void {
  const empty = args.indexOf('');
  if (empty >= 0) throw new WrongUse(`${registeredArguments[empty]?.name()}: "" is not valid; must not be empty`);
}

/**
 * Adds the flags of the server, and an action that gets the client with what the command line says. Its result is the
 * exit code if it is a number; 0 if not.
 */
export function withServer<Flags extends ServerFlags>(
  command: Command,
  run: (control: ControlClient, flags: Flags, args: readonly string[]) => Promise<unknown>,
): Command {
  return addServerFlags(command).action(async () => {
    refuseEmpty(command);
    const flags = command.opts<Flags>();
    const control = connect(flags);
    const code = await run(control, flags, command.args);
    process.exitCode = typeof code === 'number' ? code : 0;
  });
}
