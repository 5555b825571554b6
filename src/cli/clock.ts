// `ringback clock show|advance|set`: the clock of a world.
import type { Command } from 'commander';
import type { ControlClient } from '../client/control-client.ts';
import { clockForm, parseClockSetting, parseTimestamp, timestampForm } from '../clock/clock.ts';
import { durationForm, parseDuration } from '../clock/duration.ts';
import { WrongUse } from '../wrong-use.ts';
import { type ServerFlags, withServer } from './connect.ts';
import { addFlag, durationFlag, oneOf, wrongArgument } from './flag-value.ts';
import { ArgumentOfKnown } from './known-values.ts';
import { counted, fieldList, note, paint, print, printJson, table } from './output.ts';
import { startProgress } from './progress.ts';
import { needsCommand } from './usage.ts';

type Clock = Awaited<ReturnType<typeof readClock>>;
type Advance = Awaited<ReturnType<typeof advance>>;

const readClock = (control: ControlClient) => control.call('getClock');

export function define(command: Command): void {
  needsCommand(command);
  const show = command.command('show').description('show the mode and the time of the clock');
  withServer(show, async (control, { json }) => printClock(await readClock(control), json));
  defineAdvance(command.command('advance').description('advance the clock, and wait for all that happens until then'));
  defineSet(command.command('set').description('set the mode of the clock, or its time'));
}

function printClock(clock: Clock, json: true | undefined): void {
  if (json) return printJson(clock);
  const { mode, now, pending, tick } = clock;
  print(
    fieldList([
      ['mode', mode],
      ['now', now],
      ['pending', counted(pending, 'task or delivery', 'tasks and deliveries')],
      ...(tick ? [['tick', `every ${tick.every} to ${tick.url}, next at ${tick.next_at}`] as const] : []),
    ]),
  );
}

interface AdvanceFlags extends ServerFlags {
  readonly by?: string;
  readonly to?: string;
  readonly until?: string;
  readonly timeout?: string;
}

const target = `${durationForm}, ${timestampForm}, or idle`;

function defineAdvance(command: Command): void {
  const { allowed, parse } = durationFlag;
  command.addArgument(new ArgumentOfKnown('[target]', `how far: ${target}`, ['idle']));
  addFlag(command, '--by <duration>', 'by a duration, such as 30s', allowed, parse);
  addFlag(command, '--to <timestamp>', 'to an instant', timestampForm, (text) => readInstant(text));
  addFlag(command, '--until <idle>', 'until nothing is scheduled or pending', 'idle', oneOf(['idle']));
  addFlag(command, '--timeout <duration>', 'how long it may take, in real time (30s)', allowed, parse);
  command.addHelpText('after', '\nExits with 1 if the timeout or a reset ended it before its end.');
  withServer<AdvanceFlags>(command, async (control, flags, [given]) => {
    const progress = startProgress();
    const stop = watchClock(control, (now) => progress.show(`advancing: ${now}`));
    const result = await advance(control, bodyOf(flags, given)).finally(() => {
      stop();
      progress.end();
    });
    if (flags.json) printJson(result);
    else printAdvance(result);
    return result.complete ? 0 : 1;
  });
}

const advance = (control: ControlClient, body: ReturnType<typeof bodyOf>) => control.call('advanceClock', { body });

function bodyOf({ by, to, until, timeout }: AdvanceFlags, given: string | undefined) {
  const named = [
    given === undefined ? undefined : targetOf(given),
    by && { by },
    to && { to },
    until && { until: 'idle' as const },
  ];
  const [only, ...others] = named.flatMap((each) => (each ? [each] : []));
  if (!only || others.length > 0) {
    throw new WrongUse(`clock advance: give how far, once: ${target}, as the argument or by --by, --to or --until`);
  }
  return { ...only, ...(timeout === undefined ? {} : { timeout }) };
}

const readInstant = (text: string): string | undefined => (parseTimestamp(text) === undefined ? undefined : text);

function targetOf(text: string): { by: string } | { to: string } | { until: 'idle' } {
  if (text === 'idle') return { until: 'idle' };
  if (parseDuration(text) !== undefined) return { by: text };
  if (readInstant(text) !== undefined) return { to: text };
  throw wrongArgument('clock advance', text, target);
}

/** Tells the time of a clock that is being advanced, on terminals. */
function watchClock(control: ControlClient, tell: (now: string) => void): () => void {
  if (!process.stderr.isTTY) return () => {};
  const timer = setInterval(
    () =>
      void readClock(control).then(
        ({ now }) => tell(now),
        () => {},
      ),
    500,
  );
  return () => clearInterval(timer);
}

function printAdvance({ now, complete, steps, deliveries, totals }: Advance): void {
  const rows: [at: string, what: string, now: string][] = [
    ...steps.map(({ at, subject, from, to }): [string, string, string] => [
      at,
      `${subject.table} ${subject.id}`,
      [from, to].filter((status) => status !== null).join(' → '),
    ]),
    ...deliveries.map((each): [string, string, string] => [
      each.attempts.at(-1)?.attempted_at ?? each.created_at,
      `${each.event_type} to ${each.url}`,
      each.status,
    ]),
  ];
  rows.sort(([a], [b]) => a.localeCompare(b));
  if (rows.length > 0)
    print(`${table([{ heading: 'AT', dropped: 1 }, { heading: 'WHAT', least: 24 }, 'NOW'], rows)}\n`);
  const what = `${counted(totals.steps, 'step')}, ${counted(totals.deliveries, 'delivery', 'deliveries')}`;
  print(`It is ${paint('bold', now)}: ${what}.`);
  if (!complete) note('ringback: the advance ended before its end; run it again, or give it a longer --timeout');
}

interface SetFlags extends ServerFlags {
  readonly now?: string;
}

function defineSet(command: Command): void {
  command.addArgument(new ArgumentOfKnown('[mode]', clockForm, parseClockSetting.known));
  addFlag(command, '--now <timestamp>', 'the time, which only goes forward', timestampForm, (text) =>
    readInstant(text),
  );
  withServer<SetFlags>(command, async (control, { now, json }, [mode]) => {
    if (mode === undefined && now === undefined)
      throw new WrongUse('clock set: give a mode, or --now with a timestamp');
    if (mode !== undefined && parseClockSetting(mode) === undefined) throw wrongArgument('clock set', mode, clockForm);
    printClock(await control.call('setClock', { body: { mode, now } }), json);
  });
}
