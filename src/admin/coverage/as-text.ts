// A coverage report as text: one line per part, and what was not met.
import { keysOf } from '../../typed-keys.ts';
import type { Coverage } from './read-coverage.ts';
import type { Section } from './section.ts';

const WIDTH = 100;

/** The parts of a report, in their order. */
export const titles = {
  operations: 'operations',
  error_codes: 'error codes',
  event_types: 'event types',
  call_outcomes: 'call outcomes',
  receiver_answers: "receivers' answers",
  scenarios: 'scenarios',
  record_statuses: 'statuses of records',
  faults: 'faults',
  delivery_troubles: 'troubles of deliveries',
} as const satisfies { readonly [Name in keyof Coverage]?: string };

type SectionName = keyof typeof titles;

export function coverageAsText(coverage: Coverage): string {
  const lines = [
    `${plural(coverage.requests, 'request')} in ${worldsOf(coverage)}`,
    '',
    ...sectionsOf(coverage).map(([name, section]) => lineOf(titles[name], section)),
    '',
    ...trustLines(coverage),
    ...sectionsOf(coverage).flatMap(([name, section]) => missingLines(titles[name], section)),
    ...minimumLines(coverage),
  ];
  return `${lines.join('\n')}\n`;
}

export function sectionsOf(coverage: Coverage): (readonly [SectionName, Section])[] {
  return keysOf(titles).map((name) => [name, coverage[name]]);
}

function worldsOf({ world_count, worlds: [first = ''] }: Coverage): string {
  return world_count === 1 ? `the world ${first}` : plural(world_count, 'world');
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function lineOf(title: string, { met, total, percent }: Section): string {
  return `${title.padEnd(24)}${`${met} of ${total}`.padStart(12)}${`${percent.toFixed(1)} %`.padStart(10)}`;
}

/** What no list of names shows: whether the client repeats, and whether its receivers verify signatures. */
function trustLines({ retries, signatures, duplicates }: Coverage): string[] {
  const seen = (name: string, { expected, seen }: { expected: number; seen: number }): string[] =>
    expected === 0 ? [] : [`repeated after ${name}: ${seen} of ${expected}`];
  const bad = signatures.tampered.accepted + signatures.wrong_secret.accepted;
  const lines = [
    ...seen('429', retries.after_429),
    ...seen('5xx', retries.after_5xx),
    ...seen('a broken connection', retries.after_broken),
    ...(bad > 0
      ? [`signatures are not verified: ${bad} forged ${bad === 1 ? 'delivery' : 'deliveries'} accepted`]
      : []),
    ...(duplicates.sent > 0 ? [`duplicates: ${duplicates.sent} sent, ${duplicates.accepted} accepted`] : []),
  ];
  return lines.length > 0 ? [...lines, ''] : [];
}

function missingLines(title: string, { not_met: names }: Section): string[] {
  if (names.length === 0) return [];
  const lines: string[] = [];
  let line = ' ';
  for (const name of names) {
    if (line.length + name.length + 2 > WIDTH) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${name}`;
  }
  return [`${title} not met:`, ...lines, line, ''];
}

function minimumLines({ minimum }: Coverage): string[] {
  if (!minimum) return [];
  if (minimum.passed) return [`every part reaches ${minimum.percent} %`];
  return [`below ${minimum.percent} %: ${minimum.below.map((name) => titles[name]).join(', ')}`];
}
