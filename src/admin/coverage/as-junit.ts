// A coverage report as JUnit XML, which CI systems display: one suite per part, with its names as test cases. What was
// not met is skipped; a part below the minimum has a test case that fails.
import { sectionsOf, titles } from './as-text.ts';
import type { Coverage } from './read-coverage.ts';
import type { Section } from './section.ts';

export function coverageAsJunit(coverage: Coverage): string {
  const suites = sectionsOf(coverage).map(([name, section]) => {
    const minimum = coverage.minimum && judgedOf(coverage.minimum, name);
    return suiteOf(titles[name], section, minimum);
  });
  const tests = sum(suites, 'tests');
  const totals = `tests="${tests}" failures="${sum(suites, 'failures')}" skipped="${sum(suites, 'skipped')}"`;
  const body = suites.map(({ xml }) => xml).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ringback coverage" ${totals}>\n${body}\n</testsuites>\n`;
}

interface Suite {
  readonly tests: number;
  readonly failures: number;
  readonly skipped: number;
  readonly xml: string;
}

const sum = (suites: readonly Suite[], part: 'tests' | 'failures' | 'skipped'): number =>
  suites.reduce((total, suite) => total + suite[part], 0);

/** The minimum, if that part is judged by it. */
function judgedOf({ percent, judged }: NonNullable<Coverage['minimum']>, name: string): number | null {
  return judged.some((each) => each === name) ? percent : null;
}

function suiteOf(title: string, { counts, not_met, met, total, percent }: Section, minimum: number | null): Suite {
  const suite = `ringback.coverage.${title.replace(/[^a-z]+/g, '_')}`;
  const open = (name: string): string => `    <testcase classname="${escaped(suite)}" name="${escaped(name)}"`;
  const cases = [
    ...Object.keys(counts).map((name) => `${open(name)}/>`),
    ...not_met.map((name) => `${open(name)}><skipped message="not met"/></testcase>`),
  ];
  const isBelow = minimum !== null && percent < minimum;
  if (minimum !== null) {
    const why = `${met} of ${total} met, ${percent} %, not: ${not_met.join(', ')}`;
    const failure = isBelow ? `><failure message="below ${minimum} %">${escaped(why)}</failure></testcase>` : '/>';
    cases.push(`${open(`at least ${minimum} %`)}${failure}`);
  }
  const [failures, skipped] = [isBelow ? 1 : 0, not_met.length];
  const facts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`;
  const xml = `  <testsuite name="${escaped(title)}" ${facts}>\n${cases.join('\n')}\n  </testsuite>`;
  return { tests: cases.length, failures, skipped, xml };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
