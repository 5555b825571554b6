// Commands that are unknown or not built yet (`interface.md` section 7).
import { describe, expect, it } from 'vitest';
import { commandLines } from '../support/program.ts';
import { refusalLine } from './setup.ts';

const line = commandLines();

describe('an unknown command', () => {
  const command = line(['serv']);
  it('exits with code 2 and one line with the known commands and a suggestion', () => {
    expect(refusalLine(command())).toMatch(
      /"serv" is not a command, and .*; must be one of serve, readyz; did you mean serve\?/,
    );
  });
});

describe.concurrent('a command that is not built yet', () => {
  const lines: readonly (readonly string[])[] = [
    ['listen', '--forward-to', 'http://127.0.0.1:8080', '--events', 'call_busy'],
    ['trigger', 'call_busy', '--data', 'status=BUSY'],
    ['scenarios', 'list', '--json'],
    ['clock', 'advance', '30s'],
    ['deliveries', 'show', 'dlv_1'],
    ['check-receiver', 'http://127.0.0.1:8080'],
    ['exec', '--', 'npm', 'test'],
    ['coverage', '--min', '80'],
    ['requests', 'tail'],
    ['faults', 'list'],
    ['worlds', 'create', 'ci'],
    ['mcp'],
    ['init'],
    ['init', '--help'],
  ];
  const cases = lines.map((args) => ({ text: args.join(' '), args, end: line(args) }));

  it.each(cases)('exits with code 2 and one line that says so: $text', ({ args, end }) => {
    const { code, stdout, stderr } = end();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`ringback: ${args[0]} is not built yet; the commands are serve and readyz\n`);
  });

  const help = line(['--help']);
  it('is not in the help', () => {
    const { code, stdout } = help();
    expect(code).toBe(0);
    expect(stdout).toContain('readyz');
    expect(stdout).not.toMatch(/listen|trigger|scenarios|check-receiver|coverage/);
  });
});
