// How long until ready, against an Express hello-world's first answer: with the contract as it is, and with one
// that is filled up to 75 operations. And how slow the first request to an operation is once warm-up is over.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { parse, stringify } from 'yaml';
import { figure, median } from './figures.mjs';
import { program, ringback, root, untilFirstAnswer } from './processes.mjs';

const ROUNDS = 9;
const FIRST_ROUNDS = 3;
const OPERATIONS = 75;
/** Newer versions of Node keep what they have compiled. */
const mostReady = 'enableCompileCache' in nodeModule ? 1.8 : 2.2;
const hello = fileURLToPath(new URL('hello.mjs', import.meta.url));
const methods = ['get', 'post', 'put', 'patch', 'delete'];

export async function start() {
  const large = padded();
  try {
    for (const main of [program, large.main]) await startOnce(main);
    const took = { hello: [], own: [], large: [] };
    for (let round = -1; round < ROUNDS; round++) {
      const port = await freePort();
      const at = (path) => `http://127.0.0.1:${port}${path}`;
      const serve = (main) => [main, 'serve', '--port', String(port), '--log', 'error'];
      const times = {
        hello: await untilFirstAnswer([hello, String(port)], at('/')),
        own: await untilFirstAnswer(serve(program), at('/_sandbox/ready')),
        large: await untilFirstAnswer(serve(large.main), at('/_sandbox/ready')),
      };
      if (round >= 0) for (const name in times) took[name].push(times[name]);
    }
    const ratio = (name) => median(took[name].map((ms, round) => ms / took.hello[round]));
    const detail = (name) => `${Math.round(median(took[name]))} ms of ${Math.round(median(took.hello))} ms`;
    return [
      figure('ready, of an Express hello-world', ratio('own'), '×', { most: mostReady }, detail('own')),
      figure(`ready with ${OPERATIONS} operations`, ratio('large'), '×', { most: 5 }, detail('large')),
      await slowestFirst(),
    ];
  } finally {
    large.remove();
  }
}

/** Starts and stops it as a user does, so that Node keeps what it has compiled: the others are killed. */
async function startOnce(main) {
  const { child } = await ringback([], { main });
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function contract() {
  return parse(readFileSync(join(root, 'openapi.yaml'), 'utf8'));
}

const operationsOf = (document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );

/** What the build does not read, or makes. */
const notCopied = new Set(['node_modules', 'dist', 'test']);

/** A build of the package whose contract has copies of its own operations, under other paths, up to the number. */
function padded() {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-bench-'));
  for (const name of readdirSync(root)) {
    if (name.startsWith('.') || notCopied.has(name)) continue;
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const document = contract();
  const own = operationsOf(document);
  const copies = [];
  for (let n = 0; own.length + copies.length < OPERATIONS; n++) {
    const { path, method, operation } = own[n % own.length];
    const operationId = `${operation.operationId}Copy${n}`;
    document.paths[path.replace(/^(\/(?:api\/)?v1)/, `$1/copy${n}`)] = { [method]: { ...operation, operationId } };
    copies.push(`Object.assign(operations, { ${operationId}: operations.${operation.operationId} });\n`);
  }
  writeFileSync(join(folder, 'openapi.yaml'), stringify(document, { aliasDuplicateObjects: false }));
  writeFileSync(join(folder, 'src/operations/index.ts'), copies.join(''), { flag: 'a' });
  execFileSync(process.execPath, ['build.js'], { cwd: folder, stdio: 'inherit' });
  return { main: join(folder, 'dist/main.js'), remove: () => rmSync(folder, { recursive: true }) };
}

/** Of several servers, what the first request to each operation takes: other work of the machine disturbs one or two. */
async function slowestFirst() {
  const took = new Map();
  for (let round = 0; round < FIRST_ROUNDS; round++) {
    for (const [name, ms] of await firstRequests()) took.set(name, [...(took.get(name) ?? []), ms]);
  }
  const [name, ms] = [...took].map(([name, each]) => [name, median(each)]).sort(([, a], [, b]) => b - a)[0];
  return figure('slowest first request to an operation', ms, 'ms', { most: 50 }, name);
}

async function firstRequests() {
  const { url, stop } = await ringback(['--rate-limit', 'off']);
  try {
    await sleep(4000);
    // The first request of the client is slow by itself.
    await (await request(`${url}/_sandbox/ready`)).body.dump();
    const took = [];
    for (const { path, method } of operationsOf(contract())) {
      const began = performance.now();
      const answer = await request(url + path.replaceAll(/\{\w+\}/g, 'x'), {
        method: method.toUpperCase(),
        headers: { Authorization: 'Bearer svc_sandbox_default', 'Content-Type': 'application/json' },
        body: method === 'get' || method === 'delete' ? undefined : '{}',
      });
      await answer.body.dump();
      took.push([`${method.toUpperCase()} ${path}`, performance.now() - began]);
    }
    return took;
  } finally {
    await stop();
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
