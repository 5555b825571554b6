// `ringback mcp`: offers the sandbox to coding agents over stdio. Stdout belongs to the protocol; the log of its own
// server goes to stderr.
import type { Command } from 'commander';
import { readSettings } from '../config.ts';
import { environment } from '../environment.ts';
import { WrongUse } from '../wrong-use.ts';
import { readServerFlags, type ServerFlags } from './connect.ts';
import { addFlag } from './flag-value.ts';
import { surviveErrors } from './last-resort.ts';
import { given } from './server-address.ts';
import { addSettingFlags, type SettingFlags } from './settings-flags.ts';
import { stopSignal } from './stop-signal.ts';
import { parentEnded } from './waiting-ancestors.ts';

type McpFlags = ServerFlags & SettingFlags;

/** What a server elsewhere is named by. */
const addressFlags = ['url', 'key', 'token', 'world'] as const;

export function define(command: Command): void {
  addFlag(
    command,
    '--url <url>',
    'a server elsewhere (RINGBACK_URL; default: one of its own)',
    'an http: or https: address',
  );
  addFlag(command, '--key <key>', 'an API key of the world there (RINGBACK_KEY)', 'an API key');
  addFlag(command, '--token <token>', 'the control token there (RINGBACK_CONTROL_TOKEN)', 'a control token');
  addFlag(command, '--world <name>', 'the world that tools are about unless they name one', 'the name of a world');
  addSettingFlags(command)
    .addHelpText(
      'after',
      `
Without --url (or RINGBACK_URL) it starts a server of its own, on a free port and a manual clock unless --port and --clock
say otherwise, which ends with it. The tools and the settings of agents: docs/agents.md.

Example, for agents that read .mcp.json:
  { "mcpServers": { "ringback": { "command": "npx", "args": ["ringback", "mcp"] } } }`,
    )
    .action(async (flags: McpFlags) => {
      const stop = Promise.race([stopSignal(), parentEnded()]);
      const { serveStdio } = await import('../mcp/serve-stdio.ts');
      if (flags.url !== undefined || given('RINGBACK_URL') !== undefined) {
        const [setting] = Object.keys(flags).filter((name) => !addressFlags.some((other) => other === name));
        if (setting !== undefined)
          throw new WrongUse(`mcp: --url names a server, which has settings of its own; leave out ${setting}`);
        await serveStdio(readServerFlags(flags), { stop });
        return;
      }
      await serveOwn(flags, serveStdio, stop);
    });
}

async function serveOwn(
  { url: _, key, token, world, ...settingFlags }: McpFlags,
  serveStdio: typeof import('../mcp/serve-stdio.ts').serveStdio,
  stop: Promise<unknown>,
): Promise<void> {
  const [named] = Object.entries({ key, token }).filter(([, value]) => value !== undefined);
  if (named) throw new WrongUse(`mcp: --${named[0]} belongs to a server elsewhere; give its --url too`);
  const defaults = {
    ...(environment.RINGBACK_PORT ? {} : { port: '0' }),
    ...(environment.RINGBACK_CLOCK ? {} : { clock: 'manual' }),
    ...(environment.RINGBACK_LOG ? {} : { log: 'error' }),
  };
  const settings = readSettings({ ...defaults, ...settingFlags });
  const isServing = surviveErrors();
  const { startServer } = await import('./run-server.ts');
  const server = await startServer(settings);
  isServing(server.log);
  try {
    await serveStdio({ url: server.url, token: settings.controlToken ?? undefined, world }, { stop, isOwn: true });
  } finally {
    await server.close();
  }
}
