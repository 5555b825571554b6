// 50 hostile worlds and a good one on a server with a heap of 512 MB: how long the good one's requests take, next to
// those on the idle server, and whether any of its requests or deliveries is lost. The same load on a server that does
// nothing shows what part of it is the load's own: it competes for the machine.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { figure, median, percentile } from './figures.mjs';
import { background, ringback, serve } from './processes.mjs';

const WORLDS = 50;
const SECONDS = 20;
/** How long the attack goes on before the good world's requests are measured, which were measured warm when alone too. */
const WARM_UP_SECONDS = 5;
/** A container of 1 GB, in which Node takes half for its heap. */
const HEAP_MB = 512;
const MEMORY = '1gb';

/** A server with that memory, whose DNS server never answers. */
export async function besieged() {
  const dns = createSocket('udp4').bind(0, '127.0.0.1');
  await once(dns, 'listening');
  const preload = fileURLToPath(new URL('silent-dns.mjs', import.meta.url));
  const flags = ['--rate-limit', 'off', '--concurrent-calls', 'off', '--memory', MEMORY];
  const server = await ringback(flags, {
    node: [`--max-old-space-size=${HEAP_MB}`, `--import=${preload}`],
    // On one core, V8's threads, which collect garbage, would take it from the server for milliseconds at a time.
    core: null,
    env: { SILENT_DNS: `127.0.0.1:${dns.address().port}` },
  });
  const { pid } = server.child;
  return {
    url: server.url,
    pid,
    peak: () => memoryOf(pid, 'VmHWM'),
    memory: () => memoryOf(pid, 'VmRSS'),
    isRunning: () => server.child.exitCode === null && server.child.signalCode === null,
    async stop() {
      await server.stop();
      dns.close();
    },
  };
}

/** The memory of a process in MB; not a number where the system does not tell. */
function memoryOf(pid, what) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** What becomes of the good world in so many seconds; `begin` gets the address of its receiver first. */
export async function goodWorld(
  { url, pid },
  seconds,
  begin = async () => {},
  { pauseMs = 5, settleMs = 30_000 } = {},
) {
  const options = { url, pid, seconds, key: 'svc_test_good', pauseMs, settleMs };
  const good = background('good.mjs', options, 2);
  try {
    const { receiver } = await good.message();
    await begin(receiver);
    await good.ask('begin');
    return await good.result();
  } finally {
    await good.stop();
  }
}

/** Attackers come over the network: what they send is the server's to bear, but not that they take its cores. */
export async function attackOn(url, shared, { worlds = WORLDS, kinds, paceMs = 5 } = {}) {
  const attack = background('attack.mjs', { url, worlds, shared, kinds, paceMs }, 1, { yields: true });
  await attack.message();
  return attack;
}

/** How a server serves the good world alone, once it is warm, and among hostile ones. */
async function compared(server, { kinds, seconds, settleMs }) {
  let attack;
  try {
    await goodWorld(server, seconds / 4, undefined, { settleMs });
    const alone = await goodWorld(server, seconds, undefined, { settleMs });
    const begin = async (shared) => {
      attack = await attackOn(server.url, shared, { kinds });
      await sleep(WARM_UP_SECONDS * 1000);
    };
    const attacked = await goodWorld(server, seconds, begin, { settleMs });
    if (kinds) console.error(await attack.ask('counts'));
    return { alone, attacked };
  } finally {
    await attack?.stop();
  }
}

/** `kinds` of attacks and `seconds` are for looking closer at one. */
export async function hostile({ kinds, seconds = SECONDS }) {
  const idle = await serve('nothing.mjs');
  const control = await compared(idle, { kinds, seconds, settleMs: 0 }).finally(idle.stop);
  const server = await besieged();
  try {
    const { alone, attacked } = await compared(server, { kinds, seconds });
    return figuresOf(alone, attacked, server.peak(), control);
  } finally {
    await server.stop();
  }
}

const ratioOf = (name, { alone, attacked }) => percentile(attacked[name], 0.99) / percentile(alone[name], 0.99);

function figuresOf(alone, attacked, peak, control) {
  const ratio = ratioOf('waits', { alone, attacked });
  const inServer = ratioOf('works', { alone, attacked });
  const controls = `${ratioOf('waits', control).toFixed(1)}× on a server that does nothing`;
  const at = (waits, share) => percentile(waits, share).toFixed(2);
  const of = ({ waits }) => `p50 ${at(waits, 0.5)}, p99 ${at(waits, 0.99)}, longest ${at(waits, 1)} ms`;
  const detail = `${of(attacked)}; alone ${of(alone)}; ${attacked.waits.length} and ${alone.waits.length} requests; ${inServer.toFixed(1)}× of the server's own time; ${controls}`;
  return [
    figure(`p99 of a good world among ${WORLDS} hostile ones, of its p99 alone`, ratio, '×', { most: 3 }, detail),
    figure('its requests that failed', attacked.failed, '', { most: 0 }, `${attacked.waits.length} sent`),
    figure('its deliveries that were lost', attacked.lost, '', { most: 0 }, deliveriesOf(attacked)),
    ...(Number.isNaN(peak) ? [] : [figure('peak memory', peak, 'MB', { most: 1024 }, `a heap of ${HEAP_MB} MB`)]),
  ];
}

function deliveriesOf({ expected, delays }) {
  const seconds = (share) => (percentile(delays, share) / 1000).toFixed(1);
  return `${expected} expected; ${seconds(0.5)} s after the call was placed, p99 ${seconds(0.99)} s, longest ${seconds(1)} s`;
}

/** What the memory of a server is made of. */
async function describe(url) {
  const metrics = await (await fetch(`${url}/_sandbox/metrics`)).text();
  const mb = (name) => (Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1]) / 1024 ** 2).toFixed(0);
  const { shares } = (await (await fetch(`${url}/_sandbox/health`)).json()).data.memory;
  const used = Object.entries(shares).map(([name, { used_bytes }]) => `${name} ${(used_bytes / 1024 ** 2).toFixed(0)}`);
  const heap = `heap ${mb('nodejs_heap_size_used_bytes')} of ${mb('nodejs_heap_size_total_bytes')} MB`;
  return `  ${heap}, outside of it ${mb('nodejs_external_memory_bytes')} MB; ${used.join(', ')}\n`;
}

/** How full the journals and the documents are before a siege. */
const FULL = 0.85;

/**
 * Fills what may fill: the journals and documents have a share of the memory each, which the attacks would need a quarter
 * of an hour for, and until then memory grows as it should.
 */
async function fill(url) {
  const post = async (world, path, body) => {
    const headers = { Authorization: `Bearer svc_test_fill-${world}`, 'Content-Type': 'application/json' };
    return (await fetch(url + path, { method: 'POST', headers, body })).text();
  };
  const shares = async () => (await (await fetch(`${url}/_sandbox/health`)).json()).data.memory.shares;
  const isFull = ({ used_bytes, limit_bytes }) => used_bytes > FULL * limit_bytes;
  const document = JSON.stringify({
    filename: 'x.pdf',
    content_type: 'application/pdf',
    content_base64: Buffer.alloc(1024 ** 2, '%PDF-1.7 ').toString('base64'),
  });
  for (let n = 0; n < 400 && !isFull((await shares()).documents); n++) {
    await post(n % 10, '/v1/caller-trust/documents', document);
  }
  const refused = JSON.stringify({ from_number: '9'.repeat(16_000) });
  for (let n = 0; n < 1000 && !isFull((await shares()).journals); n++) {
    await Promise.all(Array.from({ length: 100 }, () => post(n % 10, '/v1/calls/dial', refused)));
  }
  const { documents, journals } = await shares();
  const part = ({ used_bytes, limit_bytes }) => `${Math.round((100 * used_bytes) / limit_bytes)} %`;
  process.stderr.write(`documents filled to ${part(documents)}, journals to ${part(journals)}\n`);
}

/**
 * The same attacks at a tenth of the pace, for many minutes, on a server whose shares are full: memory must stay where it
 * was after the first quarter.
 */
export async function siege(minutes, kinds) {
  const server = await besieged();
  await fill(server.url);
  const memory = [];
  const watching = setInterval(() => {
    memory.push(server.memory());
    process.stderr.write(`${memory.length} min: ${memory.at(-1).toFixed(0)} MB\n`);
    describe(server.url).then(
      (text) => process.stderr.write(text),
      () => {},
    );
  }, 60_000);
  let attack;
  try {
    const begin = async (shared) => {
      attack = await attackOn(server.url, shared, { kinds, paceMs: 50 });
    };
    const good = await goodWorld(server, minutes * 60, begin, { pauseMs: 100 });
    const quarter = Math.max(1, memory.length >> 2);
    const [early, late] = [memory.slice(quarter, 2 * quarter), memory.slice(-quarter)].map(median);
    const detail = `${early.toFixed(0)} MB in the second quarter of ${minutes} minutes, ${late.toFixed(0)} MB in the last`;
    return [
      figure('memory at the end of a siege, of its beginning', late / early, '×', { most: 1.1 }, detail),
      figure('requests of the good world that failed', good.failed, '', { most: 0 }, `${good.waits.length} sent`),
      figure('deliveries of the good world lost', good.lost, '', { most: 0 }, deliveriesOf(good)),
    ];
  } finally {
    clearInterval(watching);
    await attack?.stop();
    await server.stop();
  }
}
