// `ringback deliveries list|show|redeliver`: what was sent to webhook receivers, and what they answered.
import type { Command } from 'commander';
import type { ControlClient } from '../client/control-client.ts';
import { eventTypes } from '../events/catalogue.ts';
import { deliveryStatuses } from '../model.ts';
import type { Column } from './columns.ts';
import { type ServerFlags, withServer } from './connect.ts';
import { addFlag, integerFrom, oneOf } from './flag-value.ts';
import {
  type Cell,
  fieldList,
  note,
  paint,
  plain,
  plainLines,
  print,
  printJson,
  type Style,
  tableOr,
} from './output.ts';
import { needsCommand } from './usage.ts';

export type Delivery = Awaited<ReturnType<typeof read>>;
type Attempt = Delivery['attempts'][number];

const read = (control: ControlClient, id: string) => control.call('getDelivery', { path: { id } });

interface ListFlags extends ServerFlags {
  readonly status?: (typeof deliveryStatuses)[number];
  readonly event?: (typeof eventTypes)[number];
  readonly subscription?: string;
  readonly limit?: number;
}

const MAX_LISTED = 1000;

const columns: readonly (string | Column)[] = [
  'ID',
  { heading: 'CREATED', dropped: 2 },
  'EVENT',
  'STATUS',
  { heading: 'ANSWER', dropped: 1 },
  { heading: 'TO', least: 20, dropped: 3 },
];

export function define(command: Command): void {
  needsCommand(command);
  defineList(command.command('list').description('list the latest deliveries, the newest first'));
  const show = command
    .command('show')
    .description('show a delivery: its bytes and every attempt')
    .argument('<id>', 'its id, dlv_…');
  withServer(show, async (control, { json }, [id = '']) => printDelivery(await read(control, id), json));
  const again = command.command('redeliver').description('send a delivery again').argument('<id>', 'its id, dlv_…');
  again.addHelpText('after', '\nWaits for the answer, up to 20 seconds, and exits with 1 unless it is accepted.');
  withServer(again, async (control, { json }, [id = '']) => {
    const delivery = await redelivered(control, id);
    printDelivery(delivery, json);
    return delivery.status === 'delivered' ? 0 : 1;
  });
}

function defineList(command: Command): void {
  addFlag(
    command,
    '--status <status>',
    `only those that are ${deliveryStatuses.join(', ')}`,
    `one of ${deliveryStatuses.join(', ')}`,
    oneOf(deliveryStatuses),
  );
  addFlag(
    command,
    '--event <type>',
    'only those of an event type',
    `one of ${eventTypes.join(', ')}`,
    oneOf(eventTypes),
  );
  addFlag(command, '--subscription <id>', 'only those for a subscription, whk_…');
  addFlag(
    command,
    '--limit <n>',
    'how many at most (25)',
    `an integer from 1 to ${MAX_LISTED}`,
    integerFrom(1, MAX_LISTED),
  );
  withServer<ListFlags>(command, async (control, { status, event, subscription, limit = 25, json }) => {
    const query = { status, event_type: event, subscription_id: subscription, page_size: limit };
    const { data, meta } = await control.page('listDeliveries', { query });
    if (json) return printJson(data);
    const rows = data.map((each) => [
      each.id,
      each.created_at,
      each.event_type,
      statusCell(each),
      answerOf(each.attempts.at(-1)),
      each.url,
    ]);
    print(tableOr('There are no deliveries.', columns, rows));
    if (meta.total_results > data.length) note(`${data.length} of ${meta.total_results}; --limit shows more`);
  });
}

const styles: { readonly [Status in Delivery['status']]?: Style } = {
  delivered: 'green',
  failed: 'red',
  dropped: 'yellow',
  canceled: 'yellow',
};

function statusCell({ status }: Delivery): Cell {
  const style = styles[status];
  return { text: status, ...(style && { style }) };
}

/** What a receiver answered, or why it did not. */
function answerOf(attempt: Attempt | undefined): string {
  if (!attempt) return '';
  return attempt.response ? `${attempt.response.status} in ${attempt.latency_ms} ms` : (attempt.error_class ?? '');
}

function printDelivery(delivery: Delivery, json: true | undefined): void {
  if (json) return printJson(delivery);
  const { held_by, next_attempt_at } = delivery;
  print(
    fieldList([
      ['delivery', delivery.id],
      ['event', `${delivery.event_type} ${delivery.event_id}`],
      ['subscription', delivery.subscription_id],
      ['to', delivery.url],
      [
        'status',
        held_by === null ? statusCell(delivery) : `${delivery.status}, held by ${held_by} until ${next_attempt_at}`,
      ],
    ]),
  );
  for (const attempt of delivery.attempts) print(`\n${attemptText(attempt)}`);
  if (delivery.attempts.length === 0) print(`\nNot attempted yet. Its body:\n${plainLines(delivery.body)}`);
}

function attemptText({
  number,
  attempted_at,
  reason,
  plan,
  request,
  response,
  error,
  hint,
  latency_ms,
}: Attempt): string {
  const how = [reason, ...plan].join(', ');
  const headers = (all: Readonly<Record<string, string>>): string[] =>
    Object.entries(all).map(([name, value]) => plain(`${name}: ${value}`));
  return [
    paint('bold', `Attempt ${number}, ${attempted_at} (${how})`),
    ...headers(request.headers),
    '',
    plainLines(request.body),
    '',
    response
      ? paint('bold', `Answer ${response.status} in ${latency_ms} ms`)
      : paint('red', plain(`No answer: ${error}`)),
    ...(response ? [...headers(response.headers ?? {}), '', plainLines(response.body ?? '')] : []),
    ...(hint === null ? [] : [paint('yellow', `Hint: ${hint}`)]),
  ].join('\n');
}

const POLL_MS = 50;
const ANSWER_MS = 20_000;

/** A delivery that was sent again, with the answer; as it is after 20 seconds without one. */
async function redelivered(control: ControlClient, id: string): Promise<Delivery> {
  const until = performance.now() + ANSWER_MS;
  let delivery = await control.call('redeliver', { path: { id } });
  while (['pending', 'in_flight'].includes(delivery.status) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    delivery = await read(control, id);
  }
  return delivery;
}
