// The commands of `interface.md` section 7: name, one-line summary, and the module that defines it. A module is loaded
// only when its command runs, so that other commands start fast.
import type { Command } from 'commander';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** The module adds arguments, options and the action. `wholeProgram` is the parser with every command defined. */
  load(): Promise<{ define(command: Command, wholeProgram: () => Promise<Command>): void }>;
}

export const DEFAULT_COMMAND = 'serve';

export const commands: readonly CommandEntry[] = [
  { name: 'serve', summary: 'start the sandbox server (the default command)', load: () => import('./serve.ts') },
  { name: 'demo', summary: 'start the server with a world full of traffic', load: () => import('./demo.ts') },
  { name: 'exec', summary: 'run a command against a server of its own', load: () => import('./exec.ts') },
  { name: 'init', summary: 'write an example test, a scenario and CI files', load: () => import('./init.ts') },
  { name: 'readyz', summary: 'exit with 0 when a server is ready, else with 1', load: () => import('./readyz.ts') },
  { name: 'listen', summary: 'relay the events of a world to a local address', load: () => import('./listen.ts') },
  { name: 'trigger', summary: 'emit an event', load: () => import('./trigger.ts') },
  { name: 'events', summary: 'watch events as they happen', load: () => import('./events.ts') },
  { name: 'requests', summary: 'watch requests as they arrive', load: () => import('./requests.ts') },
  { name: 'deliveries', summary: 'list, read and repeat deliveries', load: () => import('./deliveries.ts') },
  { name: 'check-receiver', summary: 'try what a webhook receiver accepts', load: () => import('./check-receiver.ts') },
  { name: 'clock', summary: 'read, advance and set the clock of a world', load: () => import('./clock.ts') },
  { name: 'scenarios', summary: 'list, check, play and write scenarios', load: () => import('./scenarios.ts') },
  { name: 'faults', summary: 'make requests fail', load: () => import('./faults.ts') },
  { name: 'worlds', summary: 'list, create and delete worlds', load: () => import('./worlds.ts') },
  { name: 'coverage', summary: 'show what the tests have met, and what not', load: () => import('./coverage.ts') },
  { name: 'mcp', summary: 'offer the sandbox to coding agents, over stdio', load: () => import('./mcp.ts') },
  { name: 'completion', summary: 'print a completion script for a shell', load: () => import('./completion.ts') },
];

export const commandNames = commands.map(({ name }) => name);
