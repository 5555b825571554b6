// nginx with the configuration of the example of replicas, where it is installed: in front of these servers in place of the
// containers, and on a port of this machine.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './program.ts';
import { eventually } from './until.ts';

export const nginxConf = readFileSync('examples/replicas/nginx.conf', 'utf8');

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;
if (!hasNginx) console.log('The example of replicas is not tried behind nginx: nginx is not installed.');

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

/** `hosts`, such as `127.0.0.1:4747`, stand for `replica-1`, `replica-2` and so on. Waits until one of them is ready. */
export async function startNginx(hosts: readonly string[]): Promise<Nginx> {
  const folder = mkdtempSync('/tmp/nginx-');
  const listen = `127.0.0.1:${await freePort()}`;
  const conf = nginxConf
    .replace('listen 8080', `listen ${listen}`)
    .replaceAll(/server replica-(\d):4747/g, (_, number) => `server ${hosts[(number - 1) % hosts.length]}`);
  writeFileSync(join(folder, 'nginx.conf'), conf);
  const globals = `daemon off; pid ${folder}/pid; error_log stderr;`;
  const nginx = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', globals]);
  // What nginx reports of replicas that are gone: unread, it would be held up.
  nginx.stderr.resume();
  const ended = once(nginx, 'exit');
  const url = `http://${listen}`;
  await eventually(async () => {
    const { status } = await fetch(`${url}/_sandbox/ready`);
    if (status !== 200) throw new Error(`${url} answers ${status}`);
  });
  return {
    url,
    async stop() {
      nginx.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
