// Runs a server in the foreground: starts a sandbox, prints its address and a request to try, and stops it when told to.
import type { Settings } from '../config.ts';
import { createLog } from '../pino-log.ts';
import { GRACE_MS, keyOfDefault, type OpenSandbox, openSandbox } from '../sandbox.ts';

/** A signal, or the end of what runs the server. */
export type StopReason = NodeJS.Signals | 'parent ended';

/** Serves until `stop` resolves, and returns the exit code. With `json`, only the log is printed. */
export async function runServer(settings: Settings, stop: Promise<StopReason>, json: boolean): Promise<number> {
  const log = await createLog(settings.log, !json && process.stdout.isTTY);
  const sandbox = await openSandbox(settings, log);
  if (!json) process.stdout.write(welcome(sandbox, settings));
  log.info({ url: sandbox.url }, 'ready');
  const reason = await stop;
  log.info({ reason }, 'stopping');
  await sandbox.close(GRACE_MS);
  log.info({}, 'stopped');
  return 0;
}

function welcome({ url, context }: OpenSandbox, settings: Settings): string {
  const key = keyOfDefault(context);
  const bearer = settings.controlToken === null ? key : '<your control token>';
  const lines = [
    `Ringback ${context.version}: a sandbox of the Voice Platform API`,
    '',
    `  API        ${url}`,
    `  API key    ${key}`,
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
