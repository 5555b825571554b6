// `ringback check-receiver URL`: sends a receiver requests that it should accept and requests that it should refuse,
// and reports its answers. The events come from a temporary server, or from a world created for them on the given one.
import type { Command } from 'commander';
import { type ControlClient, createControlClient } from '../client/control-client.ts';
import { readOptions } from '../config.ts';
import { type EventType, eventTypes } from '../events/catalogue.ts';
import { WORLD_SIGNING_SECRET } from '../webhooks/sign.ts';
import { addServerFlags, connect, type ServerFlags } from './connect.ts';
import { addFlag, listOf, oneOf, wrongArgument } from './flag-value.ts';
import { type Cell, counted, lineOf, note, paint, print, printJson } from './output.ts';
import { startProgress } from './progress.ts';
import { type CheckResult, checkNames, definitions, fieldsOf, runCheck } from './receiver-checks.ts';
import { readForwardUrl } from './receiver-url.ts';
import { given } from './server-address.ts';

interface Flags extends ServerFlags {
  readonly event: EventType;
  readonly secret: string;
  readonly only?: readonly string[];
}

const urlForm = 'an http: or https: address, or a port of this machine';

export function define(command: Command): void {
  command.argument('<url>', `the receiver: ${urlForm}`);
  addFlag(
    command,
    '--event <type>',
    'the type of the events (number_purchased, whose deliveries are signed)',
    `one of ${eventTypes.join(', ')}`,
    oneOf(eventTypes),
  );
  addFlag(command, '--secret <secret>', 'the signing secret of the receiver (sandbox_signing_secret)', 'a secret');
  addFlag(
    command,
    '--only <checks>',
    `only some checks: ${checkNames.join(', ')}`,
    `one or more of ${checkNames.join(', ')}, with commas between them`,
    listOf(checkNames),
  );
  addServerFlags(command).addHelpText(
    'after',
    `
Exits with 1 if the receiver accepted what it should refuse, or refused what it should accept. The requests come from this
machine. A server is started for the events; with --url, they come from a world that is made for them there.`,
  );
  command.action(async (text: string) => {
    const flags = {
      event: 'number_purchased',
      secret: WORLD_SIGNING_SECRET,
      ...command.opts<Partial<Flags>>(),
    } as const;
    const url = readForwardUrl(text);
    if (url === undefined) throw wrongArgument('check-receiver', text, urlForm);
    process.exitCode = await withEvents(flags, (control) => check(url, control, flags));
  });
}

/** Runs a body with a client of a world that is there for it alone. */
async function withEvents<Result>(
  flags: ServerFlags,
  run: (control: ControlClient) => Promise<Result>,
): Promise<Result> {
  const isElsewhere = [flags.url, flags.key, flags.token, flags.world, given('RINGBACK_URL')].some(
    (each) => each !== undefined,
  );
  if (!isElsewhere) {
    const { startServer } = await import('./run-server.ts');
    const server = await startServer(readOptions({ clock: 'manual' }));
    const control = createControlClient({ url: server.url });
    return run(control).finally(() => server.close());
  }
  const control = connect(flags);
  const { name } = await control.call('createWorld', { body: { clock: 'manual' } });
  return run(control.forWorld(name)).finally(() => control.forWorld(name).call('deleteWorld', { path: { name } }));
}

const widths = [13, 8, 14];

async function check(url: string, control: ControlClient, { event, secret, only, json }: Flags): Promise<number> {
  const chosen = definitions.filter(({ name }) => !only || only.includes(name));
  const results: CheckResult[] = [];
  const progress = startProgress();
  if (!json)
    print(
      lineOf(
        ['CHECK', 'VERDICT', 'ANSWER', 'WHAT WAS SENT'].map((text): Cell => ({ text, style: 'bold' })),
        widths,
      ),
    );
  for (const definition of chosen) {
    progress.show(`${definition.name}: ${definition.sends} …`);
    await control.call('advanceClock', { body: { by: '1s' } });
    const data = fieldsOf(event, definitions.indexOf(definition));
    const result = await runCheck(definition, url, { control, type: event, secret, data });
    progress.end();
    results.push(result);
    if (!json) printResult(result);
    if (isDead(result)) break;
  }
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  if (json) printJson({ receiver: url, passed: failed.length === 0, checks: results });
  else if (failed.length === 0) print(paint('green', `\n${url} passed.`));
  else
    print(
      paint('red', `\n${url} failed ${counted(failed.length, 'check')}: ${failed.map(({ name }) => name).join(', ')}.`),
    );
  if (!json && results.every(isDead)) note('ringback: is the receiver running, at that address?');
  return failed.length === 0 ? 0 : 1;
}

/** Nothing can be reached there: more would say the same. */
const isDead = ({ answers }: CheckResult): boolean =>
  answers.some(({ error }) => /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(error ?? ''));

const styles = { passed: 'green', failed: 'red', skipped: 'yellow' } as const;

function printResult({ name, verdict, answers, sends, expected, note: why }: CheckResult): void {
  const answer = answers.map(({ status }) => status ?? 'none').join(', ');
  const wanted = expected === 'refuse' ? 'refused' : 'accepted';
  print(lineOf([name, { text: verdict, style: styles[verdict] }, answer, `${sends}; should be ${wanted}`], widths));
  if (why !== null) print(lineOf(['', '', '', { text: `→ ${why}`, style: styles[verdict] }], widths));
}
