// Commands by name, their help, and wrong usage (`interface.md` section 7).
import { describe, expect, it } from 'vitest';
import { commandNames } from '../../src/cli/commands.ts';
import { commandLines } from '../support/program.ts';
import { refusalLine } from './setup.ts';

const line = commandLines();

/** Those that have commands below them, with these. */
const groups = {
  events: ['tail'],
  requests: ['tail'],
  deliveries: ['list', 'show', 'redeliver'],
  clock: ['show', 'advance', 'set'],
  scenarios: ['list', 'show', 'validate', 'play', 'new'],
  faults: ['set', 'list', 'clear'],
  worlds: ['list', 'create', 'delete'],
};
const below = Object.entries(groups).flatMap(([group, names]) => names.map((name) => [group, name]));

describe('the help', () => {
  const help = line(['--help']);
  const helpOf = (words: readonly string[]) => ({ words: words.join(' '), end: line([...words, '--help']) });
  const helps = [...commandNames.map((name) => [name]), ...below].map(helpOf);
  const asked = line(['help', 'clock', 'advance']);
  const version = line(['--version']);

  it('lists every command', () => {
    const { code, stdout, stderr } = help();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of commandNames) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  it.each(helps)('of $words says how it is used', ({ words, end }) => {
    const { code, stdout, stderr } = end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ringback ${words} `);
  });

  it('is printed by the command help too, and --version prints the version', () => {
    expect(asked()).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: ringback clock advance ') });
    expect(version()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

describe('wrong usage exits with 2 and one line', () => {
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['serv'], /"serv" is not a command; must be one of serve, .*; did you mean serve\?$/m],
    [['telephone'], /"telephone" is not a command; must be one of [^;]*$/m],
    [['clock'], /clock: a command is required; must be one of show, advance, set$/m],
    [['clock', 'shw'], /"shw" is not a command of clock; must be one of show, advance, set; did you mean show\?$/m],
    [['clock', 'show', 'now'], /"now" is not expected: clock show takes no arguments/],
    [['clock', 'show', '--worl', 'x'], /--worl is not a known option; .*did you mean --world\?/],
    [['clock', 'advance', 'soon'], /clock advance: "soon" is not valid; must be a duration/],
    [['clock', 'advance', '--by', 'soon'], /--by: "soon" is not valid; must be a duration/],
    [['clock', 'advance', '--timeout', '--json'], /--timeout: a value is required; must be a duration/],
    [['clock', 'advance'], /give how far, once/],
    [['clock', 'advance', '5s', '--until', 'idle'], /give how far, once/],
    [['clock', 'set', 'fast'], /clock set: "fast" is not valid; must be real, manual, instant/],
    [['clock', 'set'], /give a mode, or --now/],
    [['clock', 'show', '--url', 'nowhere'], /--url: "nowhere" is not valid; must be an http: or https: address/],
    [['clock', 'show', '--key', 'a', '--token', 'b'], /--key and --token exclude each other/],
    [['clock', 'show', '--key', 'a', '--world', 'b'], /--key and --world exclude each other/],
    [['trigger'], /event is required: ringback trigger \[options\] <event>/],
    [['trigger', 'call_bsy'], /"call_bsy" is not an event type; must be one of .*; did you mean call_busy\?/],
    [['trigger', 'call_busy', '--data', 'x'], /--data: "x" is not valid; must be field=value/],
    [['trigger', 'call_busy', '--data', '{x'], /--data: is not valid JSON/],
    [['listen'], /--forward-to is required/],
    [['listen', '--forward-to', 'ftp://x'], /--forward-to: "ftp:\/\/x" is not valid/],
    [
      ['listen', '--forward-to', '8080', '--events', 'call_busy,nothing'],
      /--events: .*must be one or more of new_call/,
    ],
    [['requests', 'tail', '--status', '9xx'], /--status: "9xx" is not valid/],
    [['deliveries', 'list', '--limit', '0'], /--limit: "0" is not valid; must be an integer from 1 to 1000/],
    [['deliveries', 'show'], /id is required/],
    [['faults', 'set', '--body', 'x'], /--body and --header are of a gateway/],
    [['faults', 'set', '--error', 'busy_'], /--error: "busy_" is not valid; must be one of .*rate_limited/],
    [['faults', 'set', '--probability', '2'], /--probability: "2" is not valid/],
    [['coverage', '--min', '101'], /--min: "101" is not valid; must be an integer from 0 to 100/],
    [['worlds', 'create', '--clock', 'fast'], /--clock: "fast" is not valid/],
    [['worlds', 'delete', 'a', 'b'], /"b" is one argument too many: ringback worlds delete/],
    [['scenarios', 'play', 'none.yaml'], /there is no file none.yaml/],
    [['scenarios', 'new', 'Not a name'], /is not a valid scenario name/],
    [['check-receiver', 'ftp://x'], /check-receiver: "ftp:\/\/x" is not valid/],
    [['check-receiver', '8080', '--only', 'best'], /--only: "best" is not valid; must be one or more of good,/],
    [['completion', 'tcsh'], /must be one of bash, zsh, fish/],
    [['exec'], /command is required: ringback exec \[options\] -- <command...>/],
    [['exec', '--clock', 'fast', '--', 'true'], /--clock: "fast" is not valid/],
  ];
  const cases = wrong.map(([args, says]) => ({ text: args.join(' '), says, end: line(args) }));

  it.each(cases)('for $text', ({ says, end }) => {
    expect(refusalLine(end())).toMatch(says);
  });
});

describe('a completion script', () => {
  const shells = ['bash', 'zsh', 'fish'].map((shell) => ({ shell, end: line(['completion', shell]) }));

  it.each(shells)('for $shell has every command and the flags of one', ({ end }) => {
    const { code, stdout, stderr } = end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of [...commandNames, 'advance', 'forward-to']) expect(stdout).toContain(name);
  });
});
