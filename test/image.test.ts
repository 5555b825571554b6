// The files around the container image, without building it: the health check of the Dockerfile (the port variables of
// `interface.md` section 1), compose.yaml and the workflow of docs/ci-and-docker.md. `.ci/image` builds the image.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingNames, settings, variablesOf } from '../src/config.ts';
import { blocksOf } from './support/documents.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', ' ');
const variables = settingNames.flatMap(variablesOf);

describe('the health check of the image', () => {
  const [, command] = /^HEALTHCHECK .*? CMD (.+)$/m.exec(dockerfile) as unknown as [string, string];

  /** The command that the health check runs, as the shell of the image expands it. */
  function commandIn(environment: Readonly<Record<string, string>>): string {
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
  ])('uses the port that serve listens on (case %#)', (environment, port) => {
    expect(commandIn(environment)).toBe(`readyz --url http://127.0.0.1:${port}\n`);
  });

  it('uses the default port of the settings otherwise', () => {
    expect(commandIn({})).toContain(`:${settings.port.default}\n`);
    expect(dockerfile).toContain(`EXPOSE ${settings.port.default}`);
  });
});

describe('.dockerignore', () => {
  it('lets in exactly the files that the Dockerfile copies', () => {
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
  const service = blocksOf('docs/ci-and-docker.md')
    .filter(({ language }) => language === 'yaml')
    .map(({ text }) => parse(text).jobs?.test.services?.ringback)
    .find((found) => found !== undefined);

  it.each([
    ['compose.yaml', compose.environment],
    ['the workflow of docs/ci-and-docker.md', service.env],
  ])('set only known settings in %s', (_, environment) => {
    expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it('pin the base image of the Dockerfile by its digest in compose.yaml', () => {
    const bases = new Set([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base as string));
    const pinned = compose.build.additional_contexts;
    expect(Object.keys(pinned)).toEqual([...bases]);
    for (const base of bases) expect(pinned[base]).toMatch(new RegExp(`^docker-image://${base}@sha256:[0-9a-f]{64}$`));
  });

  it('publish the port that the image listens on', () => {
    expect([...compose.ports, ...service.ports].every((port: string) => port.endsWith(':4747'))).toBe(true);
  });

  it('mount the folders that the image reads', () => {
    const targets = compose.volumes.map((volume: string) => volume.split(':')[1]);
    expect(targets).toEqual(
      [/RINGBACK_SCENARIOS=(\S+)/, /RINGBACK_FIXTURES=(\S+)/].map((form) => form.exec(dockerfile)?.[1]),
    );
  });
});
