// Starts a sandbox in this process for the library: all that the library needs of the server. The CommonJS library
// loads it separately (`in-process.cjs`). `interface.md` section 8.
import { readOptions, type SandboxOptions } from './config.ts';
import { createLog, terminalOfProcess } from './pino-log.ts';
import { keyOfDefault, openSandbox, prepareProcess } from './sandbox.ts';

export interface InProcess {
  readonly url: string;
  /** A key of the world `default`. */
  readonly apiKey: string;
  /** The control token, if it has one. */
  readonly token: string | undefined;
  close(): Promise<void>;
}

// While the module is loaded, which nobody times, rather than in the first test that opens a sandbox.
prepareProcess();

/** Short, because test processes should end quickly. */
const CLOSE_GRACE_MS = 500;

/** Rejects with a one-line message if an option is unknown or malformed, or a file is broken. */
export async function openInProcess(options: SandboxOptions): Promise<InProcess> {
  const settings = readOptions(options);
  const log = await createLog(settings.log, terminalOfProcess());
  const { context, url, close } = await openSandbox(settings, log);
  return {
    url,
    apiKey: keyOfDefault(context),
    token: settings.controlToken ?? undefined,
    close: () => close(CLOSE_GRACE_MS).finally(() => log.flush()),
  };
}
