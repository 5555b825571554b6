// Runs a server in the foreground: starts a sandbox, prints its address and a request to try, and stops it when told to.
import type { Settings } from '../config.ts';
import type { Log } from '../log.ts';
import { streamSink } from '../log-output.ts';
import { createLog, terminalOfProcess } from '../pino-log.ts';
import { keyOfDefault, type OpenSandbox, openSandbox } from '../sandbox.ts';
import { GRACE_MS, STOP_MS } from '../stop-sandbox.ts';

/** A signal, or the end of what runs the server. */
export type StopReason = NodeJS.Signals | 'parent ended';

export interface RunOptions {
  readonly stop: Promise<StopReason>;
  /** Called with the log once the server serves. */
  readonly isServing: (log: Log) => void;
  readonly json: boolean;
  /** Whether the world `demo` is filled with traffic before the server says that it is ready. */
  readonly demo: boolean;
}

/**
 * Serves until `stop` resolves, and returns the exit code. The welcome is for people: with `json`, or where stdout is not
 * a terminal, there are JSON lines alone, and with `--log silent` there is nothing.
 */
export async function runServer(settings: Settings, { stop, isServing, json, demo }: RunOptions): Promise<number> {
  const terminal = json ? null : terminalOfProcess();
  const log = await createLog(settings.log, terminal);
  // Somebody who debugs wants to see how the demonstration is filled; anybody else would look for the welcome below it.
  const hushed = demo && settings.log === 'info' ? hushedLog(log) : null;
  const sandbox = await openSandbox(settings, hushed?.log ?? log);
  isServing(log);
  const dashboard = demo ? await fillDemo(sandbox, settings) : '/_sandbox/ui/';
  hushed?.speak();
  if (terminal) log.print(welcome(sandbox, settings, dashboard));
  const { publicUrl: public_url } = settings;
  log.ready({ url: sandbox.url, ...(public_url !== null && { public_url }), key: keyOfDefault(sandbox.context) });
  const reason = await stop;
  log.info({ reason }, 'stopping');
  await sandbox.close(GRACE_MS, STOP_MS);
  log.info({}, 'stopped');
  await log.flush();
  return 0;
}

/** A log that has errors alone until it is to speak. */
function hushedLog(log: Log): { readonly log: Log; speak(): void } {
  let isHushed = true;
  return {
    log: {
      error: (fields, message) => log.error(fields, message),
      info: (fields, message) => isHushed || log.info(fields, message),
      debug: (fields, message) => log.debug(fields, message),
      line: (level, line) => isHushed || log.line(level, line),
      // Some parts ask once, at their start.
      shows: (level) => log.shows(level),
      get dropped() {
        return log.dropped;
      },
    },
    speak() {
      isHushed = false;
    },
  };
}

/** Returns the page of the dashboard that shows the demonstration. */
async function fillDemo(sandbox: OpenSandbox, { controlToken, seed }: Settings): Promise<string> {
  // It loads the clients of both APIs, which no other server needs.
  const { DEMO_WORLD, playDemo } = await import('./demo-traffic.ts');
  try {
    await playDemo({ url: sandbox.url, token: controlToken, seed });
    return `/_sandbox/ui/#/${DEMO_WORLD}/calls`;
  } catch (error) {
    await sandbox.close(GRACE_MS, STOP_MS);
    throw error;
  }
}

/** A server beside something else that prints: its log goes to stderr. */
export interface StartedServer {
  readonly url: string;
  readonly key: string;
  readonly log: Log;
  close(): Promise<void>;
}

export async function startServer(settings: Settings): Promise<StartedServer> {
  const log = await createLog(settings.log, process.stderr.isTTY ? process.stderr : null, streamSink(process.stderr));
  const sandbox = await openSandbox(settings, log);
  return {
    url: sandbox.url,
    key: keyOfDefault(sandbox.context),
    log,
    async close() {
      await sandbox.close(GRACE_MS, STOP_MS);
      await log.flush();
    },
  };
}

function welcome({ url: ownUrl, context }: OpenSandbox, settings: Settings, dashboard: string): string {
  const url = settings.publicUrl ?? ownUrl;
  const key = keyOfDefault(context);
  const bearer = settings.controlToken === null ? key : '<your control token>';
  const lines = [
    `Ringback ${context.version}: a sandbox of the Voice Platform API`,
    '',
    `  API        ${url}`,
    `  API key    ${key}`,
    `  dashboard  ${url}${dashboard}`,
    `  contract   ${url}/openapi.yaml`,
    `  errors     ${url}/docs/errors`,
    `  catalog    ${url}/_sandbox/catalog`,
    '',
    'Dial a busy line:',
    '',
    `curl -s ${url}/v1/calls/dial -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"from_number":"+14155550190","to_number":"+14155550101"}'`,
    '',
  ];
  if (settings.clock.mode === 'manual') {
    lines.push(
      'The clock is stopped: nothing moves until you advance it:',
      '',
      `curl -s ${url}/_sandbox/clock/advance -H 'Authorization: Bearer ${bearer}' -H 'Content-Type: application/json' -d '{"by":"30s"}'`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}
