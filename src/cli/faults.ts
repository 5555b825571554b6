// `ringback faults set|list|clear`: makes platform requests fail without a header from the client.
import type { Command } from 'commander';
import type { ControlOperations } from '../client/control-client.ts';
import type { ItemOf } from '../client/operation-types.ts';
import { parseDurationRange } from '../clock/duration.ts';
import { synchronousCodes } from '../errors/catalogue.ts';
import { connectionFaults, drifts } from '../model.ts';
import { WrongUse } from '../wrong-use.ts';
import type { Column } from './columns.ts';
import { type ServerFlags, withServer } from './connect.ts';
import { addFlag, durationFlag, integerFrom, listOf, oneOf } from './flag-value.ts';
import { operationForm, readOperationPattern } from './operation-ids.ts';
import { print, printJson, tableOr } from './output.ts';
import { needsCommand } from './usage.ts';

type WorldFault = ItemOf<ControlOperations['listFaults']>;

const MAX_COUNT = 1_000_000_000;

export function define(command: Command): void {
  needsCommand(command);
  defineSet(command.command('set').description('add a fault, which requests meet until a reset'));
  const list = command.command('list').description('list the faults of the world, and what they have done');
  withServer(list, async (control, { json }) => {
    const faults = await control.all('listFaults');
    if (json) return printJson(faults);
    print(tableOr('There are no faults.', columns, faults.map(rowOf)));
  });
  const clear = command
    .command('clear')
    .description('delete a fault, or all of them')
    .argument('[id]', 'the one to delete');
  withServer(clear, async (control, { json }, [id]) => {
    if (id === undefined) await control.call('clearFaults');
    else await control.call('deleteFault', { path: { id } });
    if (json) printJson({ cleared: id ?? 'all' });
    else print(id === undefined ? 'Deleted all faults.' : `Deleted ${id}.`);
  });
}

interface SetFlags extends ServerFlags {
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  readonly error?: (typeof synchronousCodes)[number];
  readonly fault?: (typeof connectionFaults)[number];
  readonly status?: number;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly latency?: string;
  readonly drift?: readonly (typeof drifts)[number][];
  readonly when?: 'before' | 'after';
  readonly probability?: number;
  readonly nth?: number;
  readonly skip?: number;
  readonly times?: number;
  readonly ttl?: string;
}

const counts: readonly [flag: string, help: string][] = [
  ['--nth <n>', 'happen only to the request with this number'],
  ['--skip <n>', 'leave so many matching requests alone first'],
  ['--times <n>', 'happen so often at most'],
];

/** Which requests meet it, and what happens to them. */
function addEffectFlags(command: Command): void {
  addFlag(
    command,
    '--operation <id>',
    'requests of an operation, such as dialCall or list* (default: all)',
    operationForm,
    readOperationPattern,
  );
  addFlag(command, '--method <method>', 'requests with an HTTP method');
  addFlag(command, '--path <path>', 'requests for a path, such as /v1/calls/*');
  addFlag(
    command,
    '--error <code>',
    'the platform answers with this error',
    `one of ${synchronousCodes.join(', ')}`,
    oneOf(synchronousCodes),
  );
  addFlag(
    command,
    '--fault <kind>',
    `the connection breaks: ${connectionFaults.join(', ')}`,
    `one of ${connectionFaults.join(', ')}`,
    oneOf(connectionFaults),
  );
  addFlag(
    command,
    '--status <n>',
    'a gateway answers with this status',
    'a status from 200 to 599',
    integerFrom(200, 599),
  );
  addFlag(command, '--body <text>', 'what the gateway answers; JSON is sent as JSON', 'a text');
  command.option('--header <name: value>', 'a header of its answer; may be repeated', collectHeader);
  addFlag(
    command,
    '--latency <duration>',
    'answer that much later, such as 2s or 200ms..2s',
    'a duration or a range',
    (text) => (parseDurationRange(text) === undefined ? undefined : text),
  );
  addFlag(
    command,
    '--drift <kinds>',
    `change the answer: ${drifts.join(', ')}`,
    `one or more of ${drifts.join(', ')}, with commas`,
    listOf(drifts),
  );
}

function defineSet(command: Command): void {
  addEffectFlags(command);
  addFlag(
    command,
    '--when <when>',
    'before the effect of the request, or after it',
    'before or after',
    oneOf(['before', 'after']),
  );
  addFlag(command, '--probability <p>', 'how likely it happens, from 0 to 1 (1)', 'a number from 0 to 1', probability);
  for (const [flags, help] of counts) addFlag(command, flags, help, 'an integer', integerFrom(0, MAX_COUNT));
  addFlag(
    command,
    '--ttl <duration>',
    "how long it lasts, on the world's clock",
    durationFlag.allowed,
    durationFlag.parse,
  );
  command.addHelpText(
    'after',
    `\nExamples:\n  ringback faults set --operation dialCall --status 502 --times 2\n  ringback faults set --latency 200ms..2s`,
  );
  withServer<SetFlags>(command, async (control, flags) => {
    const fault = await control.call('setFaults', { body: specOf(flags) });
    if (flags.json) return printJson(fault);
    if ('id' in fault) print(`Added ${fault.id}.`);
  });
}

const probability = (text: string): number | undefined =>
  /^(0|1|0?\.\d+|1\.0+|0\.\d+)$/.test(text) ? Number(text) : undefined;

function collectHeader(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new WrongUse(`--header: ${JSON.stringify(text)} is not valid; must be name: value`);
  return { ...before, [name]: value };
}

/** What the control API takes; it says what cannot be combined. */
function specOf({ url, key, token, world, json, status, body, header, drift, ...spec }: SetFlags) {
  if (status === undefined && (body !== undefined || header !== undefined)) {
    throw new WrongUse('--body and --header are of a gateway that answers: give its --status too');
  }
  if ([spec.error, spec.fault, status, drift, spec.latency].every((each) => each === undefined)) {
    throw new WrongUse('faults set: give what goes wrong: one of --error, --fault, --status, --drift and --latency');
  }
  const answer = body === undefined ? undefined : (parsed(body) ?? body);
  const respond =
    status === undefined ? undefined : { status, body: answer, ...(header && { headers: { ...header } }) };
  return { ...spec, respond, drift: drift && [...drift] };
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const columns: readonly (string | Column)[] = [
  'ID',
  { heading: 'REQUESTS', least: 12 },
  { heading: 'WHAT GOES WRONG', least: 24 },
  { heading: 'WHICH OF THEM', dropped: 1 },
  'MATCHED',
  'APPLIED',
];

const rowOf = (fault: WorldFault): string[] => [
  fault.id,
  requestsOf(fault),
  effectOf(fault),
  limitsOf(fault),
  String(fault.matched),
  String(fault.applied),
];

function requestsOf({ operation, method, path }: WorldFault): string {
  return [operation, method, path].filter((each) => each !== undefined && each !== '*').join(' ') || 'all';
}

function effectOf({ error, fault, respond, latency, drift, when }: WorldFault): string {
  const effects = [
    latency === undefined ? '' : `${latency} later`,
    error ?? '',
    fault ?? '',
    respond ? `status ${respond.status}` : '',
    drift === undefined ? '' : `drift: ${drift.join(', ')}`,
  ].filter((text) => text !== '');
  // What ends a request happens before the effect by default, what changes its answer after it.
  const usual = error || fault || respond ? 'before' : 'after';
  return `${effects.join(', ')}${when === usual ? '' : `, ${when} the effect`}`;
}

function limitsOf({ probability: likely, nth, skip, times, expires_at }: WorldFault): string {
  const limits = [
    likely < 1 ? `${Math.round(likely * 10_000) / 100} %` : '',
    nth === undefined ? '' : `number ${nth}`,
    skip === undefined ? '' : `after the first ${skip}`,
    times === undefined ? '' : `at most ${times}`,
    expires_at == null ? '' : `until ${expires_at}`,
  ].filter((text) => text !== '');
  return limits.join(', ') || 'each';
}
