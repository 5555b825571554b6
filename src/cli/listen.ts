// `ringback listen`: relays the events of a world to a local address, as their deliveries would be sent.
import type { Command } from 'commander';
import { type ServerFlags, withServer } from './connect.ts';
import { addEventsFlag, liveWidths } from './events.ts';
import { addFlag } from './flag-value.ts';
import { untilSignal } from './live.ts';
import { type Cell, isNarrow, lineOf, note, print, printJsonLine, timeCell } from './output.ts';
import { type Forwarded, post } from './post.ts';
import { readForwardUrl } from './receiver-url.ts';
import { entriesOnce } from './relay.ts';

interface Flags extends ServerFlags {
  readonly forwardTo: string;
  readonly events?: readonly string[];
}

export function define(command: Command): void {
  const allowed = 'an http: or https: address such as http://127.0.0.1:3000/webhooks, or a port';
  addFlag(command, '--forward-to <url>', `where to: ${allowed}`, allowed, readForwardUrl);
  command.options.at(-1)?.makeOptionMandatory();
  addEventsFlag(command).addHelpText(
    'after',
    `
No subscription is needed. Each event is sent once, in order, the next when the last is answered: the same bytes as its
deliveries, and for number lifecycle events the signature by the world's secret (sandbox_signing_secret). Each answer
is printed; nothing is sent again. If the connection to the server is lost, it goes on where it was.`,
  );
  withServer<Flags>(command, async (control, { forwardTo, events, json }) => {
    const signal = untilSignal();
    for await (const message of entriesOnce(control, 'event', { signal })) {
      if (message.type === 'open') {
        if (json)
          printJsonLine({ listening: true, url: control.url, world: message.data.world, forward_to: forwardTo });
        else note(`Relaying the events of ${message.data.world} at ${control.url} to ${forwardTo}. Ctrl-C stops it.`);
      } else if (!events || events.includes(message.data.event_type)) {
        const { id, event_type, created_at, body, headers } = message.data;
        const answer = await post(forwardTo, headers, body, signal);
        if (signal.aborted) return;
        if (json) printJsonLine({ event_id: id, event_type, created_at, ...answer });
        else printAnswer(created_at, event_type, id, answer);
      }
    }
  });
}

function printAnswer(at: string, type: string, id: string, { status, latency_ms, error }: Forwarded): void {
  const isAccepted = status !== null && status >= 200 && status < 300;
  const text = status === null ? `no answer: ${error}` : `${status} in ${latency_ms} ms`;
  const answered: Cell = { text, style: isAccepted ? 'green' : 'red' };
  // On a narrow terminal, without the id.
  print(lineOf([timeCell(at), type, isNarrow() ? '→' : `${id}  →  `, answered], liveWidths()));
}
