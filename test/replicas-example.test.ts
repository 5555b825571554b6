// The files of examples/replicas: the settings that they name exist, Kubernetes and Compose start what they say, and nginx
// takes the configuration and passes requests on with it, to a server in place of the three containers.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingNames, settings, variablesOf } from '../src/config.ts';
import { createSandbox } from '../src/index.ts';
import { hasNginx, nginxConf, startNginx } from './support/nginx.ts';

const read = (file: string): string => readFileSync(`examples/replicas/${file}`, 'utf8');
const compose = parse(read('compose.yaml'), { merge: true });
const manifests = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS());
const variables = settingNames.flatMap(variablesOf);
const deployed = manifests.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];

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
    const nginx = await startNginx([new URL(sandbox.url).host]);
    try {
      expect((await fetch(`${nginx.url}/_sandbox/ready`)).status).toBe(200);
    } finally {
      await nginx.stop();
    }
  });
});
