// Malformed settings (`interface.md` section 1), row by row: through the built program and through `createSandbox`.
import { describe, expect, it } from 'vitest';
import { commandLines } from '../support/program.ts';
import { pathSettings, refusalLine, refusalOf, type SettingRow, settingRows } from './setup.ts';

const line = commandLines();

describe.concurrent('a malformed setting', () => {
  const expectExplained = (text: string, of: SettingRow): void => {
    const isSecret = of.option === 'controlToken' || of.option === 'secret';
    expect(text.includes(`"${of.invalid[0]}"`)).toBe(!isSecret);
    for (const words of of.allowed) expect(text).toContain(words);
  };
  const refusals = settingRows.map((of) => {
    const [first, second] = of.invalid;
    return {
      ...of,
      byFlag: line(['serve', of.flag, first]),
      byVariable: line(['serve'], { [of.variable]: first }),
      byBoth: line(['serve', of.flag, first], { [of.variable]: second }),
    };
  });

  it.each(refusals)('given as $flag exits with code 2 and one line that says what is allowed', (of) => {
    const text = refusalLine(of.byFlag());
    expect(text).toContain(`${of.flag}: `);
    expectExplained(text, of);
  });

  it.each(refusals)('given as $variable exits in the same way, and the line names the variable', (of) => {
    const text = refusalLine(of.byVariable());
    expect(text).toContain(`${of.variable}: `);
    expectExplained(text, of);
  });

  it.each(refusals)('given as $flag is reported rather than the one in $variable', (of) => {
    const text = refusalLine(of.byBoth());
    expect(text).toContain(`${of.flag}: `);
    expect(text).not.toContain(of.variable);
    expectExplained(text, of);
  });

  const named = line(['serve', '--port', '65536']);
  const unnamed = line(['--clock', 'fast']);
  it('exits with code 2, with or without the name of the serve command', () => {
    expect(refusalLine(named())).toContain('65536');
    expect(refusalLine(unnamed())).toContain('--clock');
  });

  it.each(settingRows)('given as $option is rejected by createSandbox, which says what is allowed', async (of) => {
    for (const value of [...of.invalid, '']) {
      const message = await refusalOf({ [of.option]: value });
      expect(message.split('\n'), message).toHaveLength(1);
      expect(message).toContain(`${of.option}: `);
      for (const words of of.allowed) expect(message).toContain(words);
    }
  });

  it('such as a date that does not exist is rejected', async () => {
    expect(await refusalOf({ start: '2026-02-30T00:00:00Z' })).toMatch(/^start: /);
  });

  const broken = line(['serve', '--host', 'one\ntwo']);
  it('with a line break is still reported on one line', () => {
    refusalLine(broken());
  });

  const flags = [...settingRows.map(({ flag }) => flag), ...pathSettings.map((name) => `--${name}`)];
  it.each(flags.map((flag) => ({ flag, empty: line(['serve', `${flag}=`]) })))(
    'such as an empty value after $flag= is rejected',
    (of) => {
      expect(refusalLine(of.empty())).toContain(`${of.flag}: `);
    },
  );

  const swallowing = [
    ['serve', '--strict', '--port', '0'],
    ['serve', '--strict', '--port=0'],
    ['readyz', '--wait', '--json'],
  ].map((args) => ({ args: args.join(' '), flag: args[1], end: line(args) }));
  it.each(swallowing)('such as a flag in the place of a value is rejected with what is allowed: $args', (of) => {
    expect(refusalLine(of.end())).toMatch(new RegExp(`^ringback: ${of.flag}: a value is required; must be (on|a dur)`));
  });

  it.each([
    ['privat', '; did you mean private?'],
    ['Public', '; did you mean public?'],
    ['10.0.0.0/8,pubilc', 'separated by commas'],
    ['private,10.0.0.0/8', 'separated by commas'],
  ])('such as %s for webhookTargets is a misspelt word, not a host name', async (webhookTargets, end) => {
    expect((await refusalOf({ webhookTargets })).endsWith(end)).toBe(true);
  });

  it('has the word suggested that was meant', async () => {
    expect(await refusalOf({ log: 'inof' })).toMatch(/; did you mean info\?$/);
    expect(await refusalOf({ clock: 'manuel' })).toMatch(/; did you mean manual\?$/);
  });

  const valueless = line(['serve', '--clock']);
  it('such as a flag without its value is rejected with what is allowed', () => {
    expect(refusalLine(valueless())).toContain('--clock');
    expect(refusalLine(valueless())).toContain('manual');
  });

  const tokens = [
    line(['serve', '--control-token', 'hush hush']),
    line(['serve'], { RINGBACK_CONTROL_TOKEN: 'hush hush' }),
    line(['serve', '--secret', 'hush hush']),
    line(['serve'], { RINGBACK_SECRET: 'hush hush' }),
  ];
  it('is reported without the control token or the secret', () => {
    for (const end of tokens) expect(refusalLine(end())).not.toContain('hush');
  });

  const addresses = ['redis+tls://robin:hush@cache.internal', 'robin:hush@cache', 'tcp://cache?password=hush'].flatMap(
    (address) => [line(['serve', '--store', address]), line(['serve'], { RINGBACK_STORE: address })],
  );
  it('is reported without the credentials in the address of a store', () => {
    for (const end of addresses) {
      expect(refusalLine(end())).not.toMatch(/hush|robin/);
      expect(refusalLine(end())).toContain('cache');
    }
  });

  const stores = [
    ...[
      'redis',
      'redis://',
      'redis://host/a',
      'redis://host?family=4',
      'redis://host#1',
      'redis://%zz@host',
      'http://host',
      'rediss://:hush@',
    ],
    // Without the name of a primary; with a database, which clusters do not have; with a port that is none.
    ...['redis+sentinel://:hush@host:26379', 'redis+cluster://:hush@host:7000/1', 'redis+cluster://host:7000,host:x'],
    ...['redis+sentinel://host/name?family=4', 'redis+sentinel://:%hush@host/name', 'redis+other://host'],
  ];
  const refused = stores.map((store) => line(['serve', '--store', store]));
  it('such as a store that is not an address is rejected, without its password', () => {
    for (const end of refused) {
      expect(refusalLine(end())).toContain('--store: ');
      expect(refusalLine(end())).toContain('must be memory, or an address: redis://');
      expect(refusalLine(end())).not.toContain('hush');
    }
  });

  const both = line(['serve', '--state', 'file.json'], { RINGBACK_STORE: 'redis://127.0.0.1' });
  it('such as a state file beside Redis is rejected', () => {
    expect(refusalLine(both())).toContain('--state and RINGBACK_STORE exclude one another');
  });

  const waitingForNothing = line(['serve', '--redis-wait', '1']);
  it('such as one about Redis without a store in Redis is rejected', () => {
    expect(refusalLine(waitingForNothing())).toContain('--redis-wait is about a store in Redis, and store is memory');
  });

  const nobody = line(['serve', '--store', 'redis://robin:hush@127.0.0.1:1']);
  it('such as a store that does not answer stops the start, without its password', () => {
    expect(refusalLine(nobody())).toMatch(/--store .*127\.0\.0\.1:1.* cannot be used: .*ECONNREFUSED/);
    expect(refusalLine(nobody())).not.toMatch(/hush|robin/);
  });
});
