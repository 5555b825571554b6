// Writes a new scenario file: valid as it is, with comments about what can be changed. It plays what the default
// scenario of its kind plays.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { didYouMean } from '../errors/did-you-mean.ts';
import { lifecycleOfKind, scenarioKinds } from '../lifecycles/index.ts';
import { type NamedLifecycle, statusAfter } from '../lifecycles/lifecycle.ts';
import { ScenarioLibrary } from '../scenarios/library.ts';
import { scenarioName } from '../scenarios/scenario.ts';
import { NotPlayable } from './play-scenario.ts';

const SCHEMA = 'scenario.schema.json';

/** The text of a scenario file; `schema` is where its JSON Schema is. Throws NotPlayable for a name or kind that cannot be. */
export function scenarioSkeleton(name: string, kind: string, schema: string): string {
  if (!scenarioName.test(name)) {
    throw new NotPlayable(`"${name}" is not a valid scenario name; it must match ${scenarioName.source}`);
  }
  const lifecycle = lifecycleOfKind(kind);
  if (!lifecycle) {
    const allowed = `must be one of ${scenarioKinds.join(', ')}${didYouMean(kind, scenarioKinds)}`;
    throw new NotPlayable(`"${kind}" is not a kind of scenario; ${allowed}`);
  }
  const scenarios = new ScenarioLibrary().forWorld([]);
  const existing = scenarios.get(name);
  if (existing && existing.kind !== kind) {
    throw new NotPlayable(`"${name}" is a scenario of the kind ${existing.kind}; use another name`);
  }
  const base = scenarios.defaultOf(kind);
  return `# yaml-language-server: $schema=${schema}
# Check it: npx ringback scenarios validate <this file>. See it: npx ringback scenarios play <this file>.
kind: ${kind}
summary: What happens, in one sentence.
${magicNumbers(kind)}${withoutHead(base.source)}
# The triggers of ${kind}, and what each leads from and to:
${triggersOf(lifecycle).join('\n')}
#
# Instead of the timeline, or before it, requests can be refused:
# refuse:
#   - { code: ${kind === 'sms' ? 'texting_not_ready' : 'provider_api_error'}, times: 2 }
#
# Alternatives, of which the seed draws one, are the last entry of a timeline:
#   - branch:
#       - { weight: 3, timeline: [] }
#       - { weight: 1, timeline: [] }
`;
}

/** Only calls and messages go to numbers. */
const magicNumbers = (kind: string): string =>
  kind === 'call' || kind === 'sms' ? '# +1 NPA 555 0177, in every area code, plays it too:\n# numbers: ["77"]\n' : '';

/** What belongs to the scenario itself, and not to its copy. */
const ofItsOwn = /^(kind|summary|default|numbers):/;

/** A scenario's text from its parameters on. */
function withoutHead(source: string): string {
  let isHead = false;
  const lines = source
    .trimEnd()
    .split('\n')
    .filter((line) => {
      if (/^[a-z]/.test(line)) isHead = ofItsOwn.test(line);
      return !isHead;
    });
  return lines.join('\n');
}

function triggersOf(lifecycle: NamedLifecycle): string[] {
  return Object.keys(lifecycle.inputs).map((trigger) => {
    const moves = Object.keys(lifecycle.transitions).flatMap((from) => {
      const to = statusAfter(lifecycle, from, trigger);
      return to === undefined ? [] : `${from} → ${to}`;
    });
    return `#   ${trigger}: ${moves.join(', ')}`;
  });
}

/**
 * Where an editor finds the schema for files of a folder: in the project's installed package, by a path from that folder,
 * or else at a server.
 */
export function schemaFor(folder: string, project: string): string {
  const installed = join(project, 'node_modules', 'ringback', 'schemas', SCHEMA);
  if (!existsSync(installed)) return `http://127.0.0.1:4747/_sandbox/schemas/${SCHEMA}`;
  return relative(resolve(folder), resolve(installed)).replaceAll('\\', '/');
}
