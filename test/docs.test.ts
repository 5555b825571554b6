// The guides do what they say: their commands run in order against a sandbox, their responses are the ones shown, their
// programs run, their links lead somewhere, and their settings exist.
import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createProgram } from '../src/cli/program.ts';
import { flagOf, type SettingName, settingNames, variablesOf } from '../src/config.ts';
import { fixtureFile } from '../src/fixtures/file/schema.ts';
import { callEndings } from '../src/fixtures/past-triggers.ts';
import { createSandbox, type SandboxOptions } from '../src/index.ts';
import { scenarioFile } from '../src/scenarios/scenario.ts';
import {
  allDocuments,
  anchorsOf,
  type Block,
  blocksOf,
  flagsOf,
  guides,
  linksOf,
  mismatch,
  patternOf,
  resolveLink,
  textOf,
} from './support/documents.ts';
import { temporaryFolders } from './support/folders.ts';
import { runCommands, type Shown } from './support/guide-commands.ts';
import { build, commandLines, freePort, programs, root } from './support/program.ts';
import { thorough } from './support/thorough.ts';

const folderOf = temporaryFolders();
const { bash, inline } = programs();

/** How curl says that a response had an error status (`--fail`). */
const HTTP_ERROR = 22;
/** `html` is the page that test/browser/rooms.test.ts opens. */
const languages = ['sh', 'json', 'js', 'ts', 'python', 'go', 'yaml', 'mermaid', 'nginx', 'html', 'text'];
const hasCurl = spawnSync('curl', ['--fail-with-body', '--version']).status === 0;
if (!hasCurl)
  console.info('skipped: the commands of the guides are not run, since curl (7.76 or newer) is not installed');

/** Commands that go to one server; the flags are those of the `npx ringback serve` before them. */
interface Segment {
  readonly flags: readonly string[];
  readonly commands: Shown[];
}

const serve = /^npx ringback serve (.+)\n$/;

function segmentsOf(file: string): Segment[] {
  const segments: Segment[] = [{ flags: [], commands: [] }];
  const blocks = blocksOf(file);
  for (const [index, block] of blocks.entries()) {
    if (block.language !== 'sh' || block.directive?.startsWith('not run: ')) continue;
    const flags = serve.exec(block.text)?.[1];
    if (flags !== undefined) {
      segments.push({ flags: flags.split(' '), commands: [] });
      continue;
    }
    const next = blocks[index + 1];
    segments
      .at(-1)
      ?.commands.push({ block, shown: next?.language === 'json' || next?.language === 'text' ? next : undefined });
  }
  return segments;
}

/** `--scenarios folder` as options of the library; folders are below the one that the commands run in. */
function optionsOf(flags: readonly string[], folder: string): SandboxOptions {
  const options: { [Name in SettingName]?: string } = {};
  for (let at = 0; at < flags.length; at += 2) {
    const name = settingNames.find((each) => flagOf(each) === flags[at]);
    if (!name) throw new Error(`${flags[at]} is not a setting`);
    const value = flags[at + 1] as string;
    options[name] = existsSync(join(folder, value)) ? join(folder, value) : value;
  }
  return options;
}

/** The last JSON value of some output: responses follow one another without a line between them. */
function lastJson(output: string): string {
  for (let at = output.lastIndexOf('{'); at >= 0; at = output.lastIndexOf('{', at - 1)) {
    if (at > 0 && !/[\n}]/.test(output[at - 1] as string)) continue;
    try {
      JSON.parse(output.slice(at));
      return output.slice(at);
    } catch {
      // A brace within the value.
    }
  }
  return 'null';
}

/** `npm test` runs the commands of the guides that are read first. */
const FIRST_GUIDES = ['README.md', 'docs/tour.md', 'docs/webhooks.md'];

describe.skipIf(!hasCurl).concurrent('the commands of', () => {
  beforeAll(build);
  it.each(thorough ? guides() : FIRST_GUIDES)('%s run in order, and respond as shown', async (file) => {
    const folder = folderOf();
    for (const { flags, commands } of segmentsOf(file)) {
      if (commands.length === 0) continue;
      const port = await freePort();
      const sandbox = await createSandbox(optionsOf(flags, folder));
      const address = sandbox.url.replace('http://', '');
      const adapt = (text: string): string =>
        text
          .replaceAll('127.0.0.1:4747', address)
          .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
          .replaceAll('listen(8080)', `listen(${port})`);
      const { results, stderr } = await runCommands(bash, commands, folder, port, adapt);
      for (const [index, { block, shown }] of commands.entries()) {
        const { status, output, errors } = results[index] as (typeof results)[number];
        const where = `${file}:${block.line}`;
        if (block.directive === 'second terminal') continue;
        const wanted = /^responds with: (\d+)$/.exec(block.directive ?? '')?.[1];
        expect(`${where} ${status}`, `${output}${errors}${stderr}`).toBe(`${where} ${wanted ? HTTP_ERROR : 0}`);
        if (wanted) expect(errors, where).toContain(wanted);
        if (shown?.language === 'text') expect(output, where).toMatch(patternOf(shown.text));
        else if (shown) expect(mismatch(adapt(shown.text), lastJson(output), where), output).toBeUndefined();
      }
      await sandbox.close();
    }
  });
});

describe('the programs of', () => {
  // Builds dist/, which they import.
  commandLines();
  const isProgram = ({ language, directive }: Block): boolean => language === 'js' && directive === undefined;
  const programOf = (file: string): string =>
    blocksOf(file)
      .filter(isProgram)
      .map(({ text }) => text)
      .join('\n');
  const withPrograms = guides().filter((file) => blocksOf(file).some(isProgram));
  let problems: Record<string, string>;

  // One after another in one process, since starting the package takes longer than any of them.
  beforeAll(async () => {
    const script = `const problems = {};
      for (const [file, url] of ${JSON.stringify(filesOf(withPrograms))}) {
        problems[file] = await import(url).then(() => '', (error) => String(error.stack));
      }
      console.log(JSON.stringify(problems));`;
    const { code, stdout, stderr } = await inline(script);
    expect(`${code} ${stderr}`).toBe('0 ');
    problems = JSON.parse(stdout);
  });

  /** The programs as modules of a project that has the package. */
  function filesOf(files: readonly string[]): [file: string, url: string][] {
    const folder = folderOf({ 'node_modules/.keep': '' });
    symlinkSync(root, join(folder, 'node_modules', 'ringback'), 'dir');
    return files.map((file, index) => {
      const path = join(folder, `${index}.mjs`);
      writeFileSync(path, programOf(file));
      return [file, pathToFileURL(path).href];
    });
  }

  it.each(withPrograms)('%s run to their end', (file) => {
    expect(problems[file]).toBe('');
  });
});

describe('the blocks of', () => {
  const journeys = {
    ts: 'test/clients/journeys.ts',
    python: 'test/clients/journeys.py',
    go: 'test/clients/journeys.go',
  };

  it.each(guides())('%s are each run, compared, or marked with the reason why not', (file) => {
    for (const { language, directive, line, text } of blocksOf(file)) {
      const where = `${file}:${line}`;
      expect(languages, where).toContain(language);
      if (directive !== undefined)
        expect(directive, where).toMatch(/^(not run: .+|second terminal|until stopped|responds with: \d{3})$/);
      // Those of the guide for Python are run by the tests of the Python client, each as the file that it names.
      if (file === 'docs/python.md' && language === 'python') expect(text, where).toMatch(/^# \w+\.py\n/);
      // The programs of test/clients are run; what a guide shows of them has to be in them.
      else if (language in journeys) expect(textOf(journeys[language as keyof typeof journeys]), where).toContain(text);
      if (language === 'yaml') expect(() => parse(text), where).not.toThrow();
      // The settings of agents are run by test/mcp/stdio.test.ts.
      if (language === 'json' && file !== 'docs/agents.md')
        expect(
          blocksOf(file).some((each) => each.language === 'sh' && each.line < line),
          where,
        ).toBe(true);
    }
  });
});

describe('the text of', () => {
  let flags: string[];
  beforeAll(async () => {
    flags = ['--help', '--version', ...flagsOf(await createProgram(() => true))];
  });

  it.each(allDocuments())('%s links to files and headings that exist', (file) => {
    for (const link of linksOf(file)) {
      const where = `${file}:${link.line} ${link.target}`;
      const target = resolveLink(file, link);
      expect(existsSync(target.file), where).toBe(true);
      if (target.anchor !== undefined) expect(anchorsOf(target.file), where).toContain(target.anchor);
    }
  });

  it.each(guides())('%s names no flag, variable or control header that does not exist', (file) => {
    const variables = [...settingNames.flatMap(variablesOf), 'RINGBACK_URL', 'RINGBACK_KEY'];
    const plugin = textOf('clients/python/src/ringback/pytest_plugin.py');
    const ofPlugin = (flag: string): boolean =>
      plugin.includes(flag.slice(2).replaceAll('-', '_')) || plugin.includes(flag);
    for (const [, variable] of textOf(file).matchAll(/\b(RINGBACK_[A-Z_]+[A-Z])\b/g)) {
      if (!/^RINGBACK_(SERVICE|PORT)_?$/.test(variable as string)) expect(variables, file).toContain(variable);
    }
    for (const [, flag] of textOf(file).matchAll(/`(?:ringback \w+ )?(--[a-z-]+)/g)) {
      if (file === 'docs/python.md' && ofPlugin(flag as string)) continue;
      if (!foreignFlags.includes(flag as string)) expect(flags, file).toContain(flag);
    }
  });

  it('has no half-done merge', () => {
    for (const file of allDocuments()) expect(textOf(file), file).not.toMatch(/^(<{7}|={7}|>{7})/m);
  });
});

describe('the formats of files', () => {
  it('of fixtures are complete: each key of a section is named below its heading', () => {
    const guide = textOf('docs/fixtures.md');
    const { properties = {} } = z.toJSONSchema(fixtureFile, { io: 'input', unrepresentable: 'any' });
    for (const [section, schema] of Object.entries(properties)) {
      const [, , text] = new RegExp(`### ([^\\n]*\`${section}\`[^\\n]*)\\n([\\s\\S]*?)(?=\\n##|$)`).exec(guide) ?? [];
      expect(text, `a heading for ${section}`).toBeDefined();
      const missing = keysIn(schema).filter((key) => !new RegExp(`\\b${key}\\b`).test(text as string));
      expect(missing, section).toEqual([]);
    }
    for (const ending of callEndings) expect(guide, ending).toContain(`\`${ending}\``);
  });

  it('of scenarios are complete: each key is named', () => {
    const keys = z.toJSONSchema(scenarioFile, { io: 'input', unrepresentable: 'any' });
    const format = textOf('docs/scenarios.md').split('### File format')[1] ?? '';
    expect(keysIn(keys).filter((key) => !new RegExp(`\\b${key}\\b`).test(format))).toEqual([]);
  });
});

/** The names of the fields of a JSON Schema, at every depth. */
function keysIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...new Set([...Object.keys(properties), ...Object.values(schema).flatMap(keysIn)])];
}

/** Flags of other programs that the guides mention. */
const foreignFlags = ['--add-host', '--before', '--kinds'];
