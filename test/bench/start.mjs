// How long until ready, against an Express hello-world's first answer: with the contract as it is, and with one
// that is filled up to 75 operations. And how slow the first request to an operation is once warm-up is over, and
// what a sandbox costs that a test opens and closes.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
const OPERATIONS = 75;
const hello = fileURLToPath(new URL('hello.mjs', import.meta.url));
const methods = ['get', 'post', 'put', 'patch', 'delete'];

export async function start() {
  const large = padded();
  try {
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
      figure('ready, of an Express hello-world', ratio('own'), '×', { most: 2.2 }, detail('own')),
      figure(`ready with ${OPERATIONS} operations`, ratio('large'), '×', { most: 5 }, detail('large')),
      await slowestFirst(),
      ...(await openAndClose()),
    ];
  } finally {
    large.remove();
  }
}

function contract() {
  return parse(readFileSync(join(root, 'openapi.yaml'), 'utf8'));
}

const operationsOf = (document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );

/** A build of the package whose contract has copies of its own operations, under other paths, up to the number. */
function padded() {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-bench-'));
  for (const name of [
    'src',
    'dashboard',
    'reference',
    'docs',
    'README.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'fixtures',
    'scenarios',
    'package.json',
    'build.js',
    'tsconfig.json',
    'tsconfig.build.json',
  ]) {
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

async function slowestFirst() {
  const { url, stop } = await ringback(['--rate-limit', 'off']);
  try {
    await sleep(4000);
    let slowest = { ms: 0, name: '' };
    for (const { path, method } of operationsOf(contract())) {
      const began = performance.now();
      const answer = await request(url + path.replaceAll(/\{\w+\}/g, 'x'), {
        method: method.toUpperCase(),
        headers: { Authorization: 'Bearer svc_sandbox_default', 'Content-Type': 'application/json' },
        body: method === 'get' || method === 'delete' ? undefined : '{}',
      });
      await answer.body.dump();
      const ms = performance.now() - began;
      if (ms > slowest.ms) slowest = { ms, name: `${method.toUpperCase()} ${path}` };
    }
    return figure('slowest first request to an operation', slowest.ms, 'ms', { most: 50 }, slowest.name);
  } finally {
    await stop();
  }
}

/** In the first sandbox of a process and in a later one, each the median of several processes. */
async function openAndClose() {
  const script = fileURLToPath(new URL('open-close.mjs', import.meta.url));
  const processes = Array.from({ length: ROUNDS }, () => JSON.parse(execFileSync(process.execPath, [script])));
  return [
    ['first', 0],
    ['later', 3],
  ].map(([name, at]) => {
    const took = processes.map((sandboxes) => sandboxes[at]);
    const cpu = `${median(took.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms of CPU`;
    const what = `the ${name} sandbox of a process, from opening over a dial to closing`;
    return figure(what, median(took.map(({ ms }) => ms)), 'ms', { most: 60 }, cpu);
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
