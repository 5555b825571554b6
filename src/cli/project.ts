// Detects the language and test runner of a project from its files, for `ringback init`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode, messageOf } from '../system-errors.ts';
import { WrongUse } from '../wrong-use.ts';
import { type PackageManager, packageManagerOf } from './installing.ts';

export const languages = ['ts', 'python'] as const;
export const runners = ['vitest', 'jest'] as const;

export interface Choice {
  readonly lang: (typeof languages)[number];
  readonly test: (typeof runners)[number] | 'pytest';
  readonly because: string;
  /** Whether a `.js` file of the project is an ES module. */
  readonly isModule: boolean;
  /** The packages that are missing before the example can run. */
  readonly missing: readonly string[];
  readonly manager: PackageManager;
}

interface Wanted {
  readonly lang?: Choice['lang'];
  readonly test?: (typeof runners)[number];
}

const ofPython = /^(pyproject\.toml|requirements.*\.txt|setup\.(py|cfg)|pytest\.ini|tox\.ini|Pipfile|uv\.lock)$/;

/** Flags win over what the folder has; Vitest is for a folder that says nothing. Throws WrongUse. */
export function chooseFor(folder: string, { lang, test }: Wanted): Choice {
  if (lang === 'python' && test !== undefined) throw new WrongUse('init: --test is for --lang ts; Python has pytest');
  const files = filesOf(folder);
  const python = files.find((name) => ofPython.test(name));
  const { packages, isModule, packageManager } = readPackage(folder);
  const manager = packageManagerOf(files, packageManager);
  const missing = (...needed: string[]) => needed.filter((name) => !packages.has(name));
  const choose = (name: Choice['test'], because: string): Choice => ({
    lang: name === 'pytest' ? 'python' : 'ts',
    test: name,
    because,
    isModule,
    manager,
    missing: name === 'pytest' ? missing('ringback') : missing('ringback', name),
  });
  if (test !== undefined) return choose(test, `--test ${test}`);
  const runner = runners.find((name) => packages.has(name));
  if (lang === 'python') return choose('pytest', '--lang python');
  if (runner !== undefined) return choose(runner, `package.json has ${runner}`);
  if (lang === undefined && python !== undefined) return choose('pytest', `there is ${python}`);
  return choose('vitest', 'nothing here names another test runner');
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    throw new WrongUse(`init: ${folder} cannot be read: ${messageOf(error)}`);
  }
}

interface PackageFacts {
  readonly packages: ReadonlySet<string>;
  readonly isModule: boolean;
  readonly packageManager?: unknown;
}

function readPackage(folder: string): PackageFacts {
  const file = join(folder, 'package.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { packages: new Set(), isModule: false };
    throw new WrongUse(`init: ${file} cannot be read: ${messageOf(error)}`);
  }
  try {
    const { dependencies, devDependencies, type, packageManager } = Object(JSON.parse(text.replace(/^\uFEFF/, '')));
    const packages = new Set(Object.keys({ ...dependencies, ...devDependencies }));
    return { packages, isModule: type === 'module', packageManager };
  } catch (error) {
    throw new WrongUse(`init: ${file} is not valid JSON: ${messageOf(error)}`);
  }
}

/** Which file of the project has settings of pytest, which a `pytest.ini` would switch off. */
export function pytestSettings(folder: string): string | undefined {
  const sections = { 'pyproject.toml': '[tool.pytest', 'tox.ini': '[pytest]', 'setup.cfg': '[tool:pytest]' };
  return Object.entries(sections).find(([name, section]) => {
    try {
      return readFileSync(join(folder, name), 'utf8').includes(section);
    } catch {
      return false;
    }
  })?.[0];
}
