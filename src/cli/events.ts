// `ringback events tail`: the events of a world as they happen.
import type { Command } from 'commander';
import type { StreamMessage } from '../client/stream.ts';
import { eventTypes } from '../events/catalogue.ts';
import { type ServerFlags, withServer } from './connect.ts';
import { addFlag, listOf } from './flag-value.ts';
import { untilSignal } from './live.ts';
import { counted, isNarrow, lineOf, note, print, printJsonLine, timeCell } from './output.ts';
import { entriesOnce } from './relay.ts';
import { needsCommand } from './usage.ts';

interface Flags extends ServerFlags {
  readonly events?: readonly string[];
  readonly fromStart?: true;
}

const eventTypeWidth = Math.max(...eventTypes.map(({ length }) => length));

/** The widths of a time, an event type and what follows. On a narrow terminal, the few long types stick out. */
export const liveWidths = (...following: readonly number[]): readonly number[] =>
  isNarrow() ? [12, 24, ...following] : [24, eventTypeWidth, ...following];

export function addEventsFlag(command: Command): Command {
  const allowed = `one or more of ${eventTypes.join(', ')}, with commas between them`;
  return addFlag(
    command,
    '--events <types>',
    'only these event types, such as call_busy,new_call',
    allowed,
    listOf(eventTypes),
  );
}

export function define(command: Command): void {
  needsCommand(command);
  const tail = command.command('tail').description('print each event as it happens, until it is stopped');
  addEventsFlag(tail);
  tail.option('--from-start', 'begin with the events that the journal keeps');
  withServer<Flags>(tail, async (control, { events, fromStart, json }) => {
    const since = fromStart && 'start';
    for await (const message of entriesOnce(control, 'event', { since, signal: untilSignal() })) {
      if (message.type === 'open') note(`Events of ${message.data.world} at ${control.url}:`);
      if (message.type !== 'event' || (events && !events.includes(message.data.event_type))) continue;
      const { data } = message;
      if (json) printJsonLine(data);
      else printEvent(data);
    }
  });
}

type Event = Extract<StreamMessage, { readonly type: 'event' }>['data'];

function printEvent({ created_at, event_type, subject, deliveries }: Event): void {
  const sent = isNarrow() ? [] : [counted(deliveries, 'delivery', 'deliveries')];
  print(lineOf([timeCell(created_at), event_type, subject?.id ?? '', ...sent], liveWidths(36)));
}
