// The package manager of a project, and how its commands are called, for `ringback init`.

export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof packageManagers)[number];

interface Commands {
  /** Adds packages that the tests need. */
  readonly add: string;
  /** Runs a program of an installed package. */
  readonly run: string;
  /** Installs what the lockfile has, in CI. */
  readonly install: string;
  /** What a workflow needs before it. */
  readonly setUp?: string;
}

export const commandsOf: { readonly [Manager in PackageManager]: Commands } = {
  npm: { add: 'npm install --save-dev', run: 'npx', install: 'npm ci' },
  pnpm: {
    add: 'pnpm add --save-dev',
    run: 'pnpm exec',
    install: 'pnpm install --frozen-lockfile',
    setUp: 'run: corepack enable',
  },
  yarn: {
    add: 'yarn add --dev',
    run: 'yarn run',
    install: 'yarn install --frozen-lockfile',
    setUp: 'run: corepack enable',
  },
  bun: {
    add: 'bun add --dev',
    run: 'bunx',
    install: 'bun install --frozen-lockfile',
    setUp: 'uses: oven-sh/setup-bun@v2',
  },
};

const lockfiles: readonly (readonly [name: string, manager: PackageManager])[] = [
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

/** `declared` is the field `packageManager` of package.json, such as `pnpm@9.0.0`; it wins over lockfiles. */
export function packageManagerOf(files: readonly string[], declared: unknown): PackageManager {
  const named = packageManagers.find((name) => typeof declared === 'string' && declared.startsWith(`${name}@`));
  return named ?? lockfiles.find(([name]) => files.includes(name))?.[1] ?? 'npm';
}

/** A workflow that is written with npm, for another one. */
export function workflowFor(manager: PackageManager, workflow: string): string {
  const { run, install, setUp } = commandsOf[manager];
  return workflow
    .replace(/^( +)- run: npm ci$/m, (_, indent: string) =>
      [...(setUp === undefined ? [] : [`${indent}- ${setUp}`]), `${indent}- run: ${install}`].join('\n'),
    )
    .replace(/\bnpx\b/g, run);
}
