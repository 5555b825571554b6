// `ringback requests tail`: the requests to the platform's API as they are answered.
import type { Command } from 'commander';
import type { StreamMessage } from '../client/stream.ts';
import { type ServerFlags, withServer } from './connect.ts';
import { addFlag } from './flag-value.ts';
import { untilSignal } from './live.ts';
import { operationForm, readOperation } from './operation-ids.ts';
import { lineOf, note, print, printJsonLine, type Style, timeCell } from './output.ts';
import { entriesOnce } from './relay.ts';
import { needsCommand } from './usage.ts';

interface Flags extends ServerFlags {
  readonly method?: string;
  readonly operation?: string;
  readonly status?: string;
  readonly fromStart?: true;
}

type Request = Extract<StreamMessage, { readonly type: 'request' }>['data'];

const METHOD_WIDTH = 6;
const statusForm = 'a status such as 404, or 4xx for a hundred of them';

export function define(command: Command): void {
  needsCommand(command);
  const tail = command.command('tail').description('print each request as it is answered, until it is stopped');
  addFlag(tail, '--method <method>', 'only those with an HTTP method', 'an HTTP method such as POST', readMethod);
  addFlag(tail, '--operation <id>', 'only those of an operation, such as dialCall', operationForm, readOperation);
  addFlag(tail, '--status <status>', `only those with ${statusForm}`, statusForm, readStatus);
  tail.option('--from-start', 'begin with the requests that the journal keeps');
  withServer<Flags>(tail, async (control, { fromStart, json, ...filter }) => {
    const since = fromStart && 'start';
    for await (const message of entriesOnce(control, 'request', { since, signal: untilSignal() })) {
      if (message.type === 'open') note(`Requests of ${message.data.world} at ${control.url}:`);
      if (message.type !== 'request' || !matches(message.data, filter)) continue;
      if (json) printJsonLine(message.data);
      else printRequest(message.data);
    }
  });
}

const readMethod = (text: string): string | undefined => (/^[a-z]{1,10}$/i.test(text) ? text.toUpperCase() : undefined);
const readStatus = (text: string): string | undefined =>
  /^[1-5](\d\d|xx)$/i.test(text) ? text.toLowerCase() : undefined;

function matches(
  request: Request,
  { method, operation, status }: Pick<Flags, 'method' | 'operation' | 'status'>,
): boolean {
  return (
    (method === undefined || request.method === method) &&
    (operation === undefined || request.operation === operation) &&
    (status === undefined || String(request.status).startsWith(status.replace('xx', '')))
  );
}

function printRequest({ at, method, path, status, error_code, duration_ms, scenario, fault }: Request): void {
  const style: Style = status >= 500 || status === 0 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const why = [error_code ?? '', scenario ? `(${scenario.name})` : '', fault ?? ''].filter((text) => text !== '');
  const shown = { text: status === 0 ? '---' : String(status), style };
  const what = [`${path}  ${Math.round(duration_ms)} ms`, ...why].join('  ');
  const time = timeCell(at);
  print(lineOf([time, shown, method, what], [time.text.length, 3, METHOD_WIDTH]));
}
