// Lints OpenAPI documents with the rules of the contract, openapi.lint.yaml, which check examples too.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** What the linter says of these files of a folder if it finds a problem; undefined if they are valid. */
export function lintProblems(
  folder: string,
  files: readonly string[],
  without: readonly string[] = [],
): string | undefined {
  const { rules, extends: base } = parse(readFileSync('openapi.lint.yaml', 'utf8'));
  const kept = Object.fromEntries(Object.entries(rules).filter(([rule]) => !without.includes(rule)));
  const config = JSON.stringify({ extends: base, rules: kept, telemetry: 'off' });
  writeFileSync(join(folder, 'redocly.yaml'), config);
  const paths = files.map((name) => join(folder, name));
  const lint = ['node_modules/@redocly/cli/bin/cli.js', 'lint', ...paths, '--config', join(folder, 'redocly.yaml')];
  const { status, stdout, stderr } = spawnSync(process.execPath, lint, { encoding: 'utf8' });
  return status === 0 ? undefined : stdout + stderr;
}
