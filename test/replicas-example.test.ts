// The files of examples/replicas: the settings that they name exist, Kubernetes and Compose start what they say, and nginx
// takes the configuration and passes requests on with it, to a server in place of the three containers.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingNames, settings, variablesOf } from '../src/config.ts';
import { createSandbox } from '../src/index.ts';
import { until } from './support/until.ts';

const read = (file: string): string => readFileSync(`examples/replicas/${file}`, 'utf8');
const compose = parse(read('compose.yaml'), { merge: true });
const manifests = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS());
const nginxConf = read('nginx.conf');
const variables = settingNames.flatMap(variablesOf);
const deployed = manifests.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];

const hasNginx = spawnSync('nginx', ['-v']).status === 0;
if (!hasNginx) console.log('The configuration of nginx is not tried: nginx is not installed.');

describe('the example of replicas', () => {
  it('names settings that exist', () => {
    const inManifest = deployed.env.map(({ name }: { name: string }) => name);
    const named = [...Object.keys(compose.services['replica-1'].environment), ...inManifest];
    expect(named.filter((name) => !variables.includes(name))).toEqual([]);
    const { RINGBACK_TRUST_PROXY: peers } = compose.services['replica-1'].environment;
    expect(settings.trustProxy.parse(peers)).toBeDefined();
  });

  it('sends requests to the services and the port that there are', () => {
    const servers = [...nginxConf.matchAll(/server ([\w-]+):(\d+)/g)].map(([, host, port]) => [host, port]);
    const replicas = Object.keys(compose.services).filter((name) => name.startsWith('replica-'));
    expect(servers).toEqual(replicas.map((name) => [name, settings.port.default]));
    expect(deployed.ports[0].containerPort).toBe(Number(settings.port.default));
  });

  it.runIf(hasNginx)('configures nginx so that requests reach a replica', async () => {
    await using sandbox = await createSandbox({ trustProxy: 'loopback' });
    // The path of a socket may have about 100 characters, and temporary folders have longer ones on some machines.
    const folder = mkdtempSync('/tmp/nginx-');
    const socketPath = join(folder, 'socket');
    const conf = nginxConf
      .replace('listen 8080', `listen unix:${socketPath}`)
      .replaceAll(/server replica-\d:4747/g, `server ${new URL(sandbox.url).host}`);
    writeFileSync(join(folder, 'nginx.conf'), conf);
    const globals = `daemon off; pid ${folder}/pid; error_log stderr;`;
    const nginx = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', globals]);
    const ended = once(nginx, 'exit');
    try {
      const ask = (): Promise<number | undefined> =>
        new Promise((resolve) => {
          const asking = request({ socketPath, path: '/_sandbox/ready', headers: { host: 'voice.example:8080' } });
          asking.on('response', (response) => resolve(response.resume().statusCode));
          asking.on('error', () => resolve(undefined));
          asking.end();
        });
      await until(async () => (await ask()) === 200);
    } finally {
      nginx.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
