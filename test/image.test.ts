// What surrounds the image, without building it: the Dockerfile's health check against `interface.md` section 1 (which
// variable is the port), and what is mounted and set in compose.yaml and the workflow of docs/ci-and-docker.md. `.ci/image` builds it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingNames, settings } from '../src/config.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', ' ');
const variables = settingNames.flatMap((name) => settings[name].environment);

describe('the health check of the image', () => {
  const [, command] = /^HEALTHCHECK .*? CMD (.+)$/m.exec(dockerfile) as unknown as [string, string];

  /** The address that it asks, as the image's shell would; `ringback` prints what it is given. */
  function asked(environment: Readonly<Record<string, string>>): string {
    const script = command.replace('exec ringback', 'echo');
    return spawnSync('sh', ['-c', script], { env: { PATH: process.env.PATH, ...environment }, encoding: 'utf8' })
      .stdout;
  }

  it.each([
    [{}, 4747],
    [{ PORT: '8080' }, 8080],
    [{ RINGBACK_PORT: '8081' }, 8081],
    [{ RINGBACK_PORT: '8081', PORT: '8080' }, 8081],
    [{ RINGBACK_PORT: '', PORT: '' }, 4747],
    [{ RINGBACK_PORT: 'tcp://10.0.0.7:4747' }, 4747],
    [{ RINGBACK_PORT: 'tcp://10.0.0.7:4747', PORT: '8080' }, 8080],
    [{ PORT: '8080', RINGBACK_URL: 'http://elsewhere.example' }, 8080],
  ])('asks at the port that serve takes (case %#)', (environment, port) => {
    expect(asked(environment)).toBe(`readyz --url http://127.0.0.1:${port}\n`);
  });

  it('falls back on the default of the settings', () => {
    expect(asked({})).toContain(`:${settings.port.default}\n`);
    expect(dockerfile).toContain(`EXPOSE ${settings.port.default}`);
  });
});

describe('the files of the image', () => {
  it('are let into the build by .dockerignore, all that are copied and no others', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) =>
      (from as string).split(' '),
    );
    const allowed = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(copied.sort()).toEqual(allowed.sort());
  });
});

describe('the examples', () => {
  const compose = parse(readFileSync('compose.yaml', 'utf8')).services.ringback;
  const [, text] = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/ci-and-docker.md', 'utf8')) as unknown as [
    string,
    string,
  ];
  const service = parse(text).jobs.test.services.ringback;

  it.each([
    ['compose.yaml', compose.environment],
    ['the workflow of docs/ci-and-docker.md', service.env],
  ])('%s sets what is a setting', (_, environment) => {
    expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it('publish the port that the image listens on', () => {
    expect([...compose.ports, ...service.ports].every((port: string) => port.endsWith(':4747'))).toBe(true);
  });

  it('mount where the image looks', () => {
    const targets = compose.volumes.map((volume: string) => volume.split(':')[1]);
    expect(targets).toEqual(
      [/RINGBACK_SCENARIOS=(\S+)/, /RINGBACK_FIXTURES=(\S+)/].map((form) => form.exec(dockerfile)?.[1]),
    );
  });
});
