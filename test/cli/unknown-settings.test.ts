// Unknown settings (`interface.md` section 1): as flags, as variables and as options of `createSandbox`.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../src/config.ts';
import type { SandboxOptions } from '../../src/index.ts';
import { commandLines, programs } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { refusalLine, refusalOf, settingRows } from './setup.ts';

const { serve } = programs();
const line = commandLines();

describe.concurrent('an unknown setting', () => {
  const misspelledFlag = line(['serve', '--prot', '0']);
  it('given as a flag is rejected with one line: the known flags, a suggestion and the help command', () => {
    const text = refusalLine(misspelledFlag());
    expect(text).toContain('--prot is not a known option;');
    for (const { flag } of settingRows) expect(text).toContain(`${flag},`);
    expect(text).toContain('did you mean --port?');
    expect(text).toContain('ringback serve --help');
  });

  const misspelledVariable = line(['serve', '--port', '0'], { RINGBACK_PROT: '4848' });
  it('given as a variable is rejected with one line: the known variables and a suggestion', () => {
    const text = refusalLine(misspelledVariable());
    expect(text).toContain('RINGBACK_PROT is not a known setting;');
    for (const { variable } of settingRows) expect(text).toContain(variable);
    expect(text).toContain('did you mean RINGBACK_PORT?');
  });

  const secret = 'hunter2-77aa';
  const inVariable = line(['serve', '--port', '0'], { RINGBACK_CONTROL_TOKN: secret });
  const inFlag = line(['serve', '--port', '0', `--control-tokn=${secret}`]);
  it('is reported without its value, which could be a secret', () => {
    for (const [end, name] of [
      [inVariable, 'RINGBACK_CONTROL_TOKN'],
      [inFlag, '--control-tokn'],
    ] as const) {
      const text = refusalLine(end());
      expect(text).toContain(name);
      expect(text).not.toContain(secret);
    }
  });

  it('given as an option is rejected with the known options and a suggestion', async () => {
    const message = await refusalOf({ rateLimits: 'off' } as SandboxOptions);
    expect(message).toMatch(/"rateLimits".*did you mean rateLimit\?$/);
    expect(message).toContain('controlToken');
    expect(await refusalOf({ toString: 'x' } as unknown as SandboxOptions)).toContain('"toString"');
  });

  it.runIf(thorough)('is not seen in the variables of clients and container platforms', async () => {
    const server = await serve([], {
      RINGBACK_URL: 'http://sandbox.internal:1',
      RINGBACK_KEY: 'svc_test_mine',
      RINGBACK_SERVICE_HOST: '10.0.0.7',
      RINGBACK_SERVICE_PORT: '4747',
      RINGBACK_SERVICE_PORT_HTTP: '4747',
      RINGBACK_PORT_4747_TCP: 'tcp://10.0.0.7:4747',
      RINGBACK_PORT_4747_TCP_ADDR: '10.0.0.7',
      RINGBACK_PORT: 'tcp://10.0.0.7:4747',
      PORT: '0',
    });
    expect((await fetch(`${server.url}/_sandbox/ready`)).status).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });
});

describe('the suggestion for an unknown variable', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it.each([
    ['HOSTS', 'HOST'],
    ['CONTROL_TOKN', 'CONTROL_TOKEN'],
    ['webhook_target', 'WEBHOOK_TARGETS'],
    ...['TOKEN', 'LEVEL', 'DEBUG', 'MODE', 'WORLD', 'VERSION', 'DATA', 'URLS', 'X'].map((name) => [name, undefined]),
  ])('is made without the prefix of all variables: RINGBACK_%s', (name, meant) => {
    vi.stubEnv(`RINGBACK_${name}`, 'x');
    const suggested = meant === undefined ? /^(?!.*did you mean)/ : new RegExp(`; did you mean RINGBACK_${meant}\\?$`);
    expect(() => readSettings({})).toThrow(suggested);
  });
});
