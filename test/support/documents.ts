// The documents as tests read them: their fenced blocks with the directive before each, their headings and links.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Command } from 'commander';

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The line of its first fence, counted from 1. */
  readonly line: number;
  /** What the HTML comment directly before it says, such as `not run: needs Docker`. */
  readonly directive: string | undefined;
}

export interface Link {
  readonly target: string;
  readonly line: number;
}

/** The documents for users, whose commands are run. */
export const guides = (): string[] => ['README.md', ...inDocs()];

/** Every document of the repository. */
export const allDocuments = (): string[] => [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...guides(),
];

const inDocs = (): string[] =>
  readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);

export const textOf = (file: string): string => readFileSync(file, 'utf8');

const fenced = /(?:^<!-- ([^\n]+) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm;

export function blocksOf(file: string): Block[] {
  const text = textOf(file);
  return [...text.matchAll(fenced)].map(({ 1: directive, 2: language = '', 3: body = '', index }) => ({
    language,
    text: body,
    line: text.slice(0, index).split('\n').length + (directive === undefined ? 0 : 1),
    directive,
  }));
}

/** Links to other files and headings; those to the web are left out. */
export function linksOf(file: string): Link[] {
  return withoutBlocks(textOf(file))
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => ({ target: target as string, line: index + 1 })),
    )
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** The file and the anchor that a link of a document leads to. */
export function resolveLink(file: string, { target }: Link): { file: string; anchor: string | undefined } {
  const [path = '', anchor] = target.split('#');
  return { file: path === '' ? file : normalize(join(dirname(file), path)), anchor };
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(file: string): string[] {
  return [...withoutBlocks(textOf(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The text with its blocks emptied, so that line numbers stay. */
function withoutBlocks(text: string): string {
  return text.replace(fenced, (block) => block.replace(/[^\n]/g, ''));
}

/**
 * What is wrong with a response that a document shows; undefined where nothing is. The document may leave out fields
 * (`…` in their place) and parts of strings (`…` within them).
 */
export function mismatch(shown: string, response: string, path = 'response'): string | undefined {
  const json = shown.replace(/,?\s*…(?=\s*[}\]])/g, '').replace(/([{[])\s*,/g, '$1');
  return differs(JSON.parse(json), JSON.parse(response), path);
}

function differs(shown: unknown, given: unknown, path: string): string | undefined {
  if (typeof shown === 'string' && shown.includes('…')) {
    const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    if (typeof given === 'string' && new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(given)) return undefined;
    return `${path} is ${JSON.stringify(given)}, not ${shown}`;
  }
  if (typeof shown !== 'object' || shown === null) {
    return shown === given ? undefined : `${path} is ${JSON.stringify(given)}, not ${JSON.stringify(shown)}`;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given) !== Array.isArray(shown)) {
    return `${path} is ${JSON.stringify(given)}`;
  }
  const entries = Object.entries(shown).map(([name, value]) =>
    differs(value, (given as Record<string, unknown>)[name], `${path}.${name}`),
  );
  return entries.find((problem) => problem !== undefined);
}

/** The flags of a command and of those below it. */
export const flagsOf = (command: Command): string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  ...command.commands.flatMap(flagsOf),
];

/** Text as a guide shows it: `…` is any text, and runs of spaces are as long as they need to be. */
export function patternOf(shown: string): RegExp {
  const escaped = shown.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(escaped.replaceAll('…', '.*').replace(/ {2,}/g, ' +'));
}
