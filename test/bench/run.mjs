// `npm run bench [-- <part> …]`: prints every figure with its goal beside it, as a Markdown table, and writes them to
// bench.json; `--before <file>` puts an earlier run's values beside them, `--docs` writes the table to docs/performance.md.
// `dashboard` needs Chromium, `replicas` needs redis-server, and they run only when they are named. `soak`, `fuzz`, `properties` and `hostile` take long and run only when they are named, or with
// `all`; `soak --minutes 30` is a siege by hostile worlds instead, and `--kinds jobs,names` chooses among their attacks;
// `properties --sequences 1000` tries fewer than 100,000.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { isMet, table } from './figures.mjs';
import { pinning } from './processes.mjs';

const parts = {
  speed: async () => (await import('./speed.mjs')).speed(),
  deliveries: async () => (await import('./deliveries.mjs')).deliveries(),
  stream: async () => (await import('./stream.mjs')).stream(),
  retries: async () => (await import('./retries.mjs')).retries(),
  size: async () => (await import('./size.mjs')).size(),
  growth: async () => (await import('./growth.mjs')).growth(),
  day: async () => (await import('./day.mjs')).day(),
  start: async () => (await import('./start.mjs')).start(),
  lean: async () => (await import('./lean.mjs')).lean(),
  soak: async () =>
    values.minutes
      ? (await import('./hostile.mjs')).siege(Number(values.minutes), kinds)
      : (await import('./soak.mjs')).soak(),
  hostile: async () => (await import('./hostile.mjs')).hostile({ kinds, seconds: Number(values.seconds ?? 20) }),
  properties: async () => (await import('./properties.mjs')).properties(Number(values.sequences ?? 100_000)),
  replicas: async () => (await import('./replicas.mjs')).replicas(),
  dashboard: async () => (await import('./dashboard.mjs')).dashboard(),
  fuzz: async () => (await import('./fuzz.mjs')).fuzz(),
};
const usual = ['speed', 'deliveries', 'stream', 'retries', 'size', 'growth', 'day', 'start', 'lean'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    docs: { type: 'boolean' },
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    kinds: { type: 'string' },
    sequences: { type: 'string' },
  },
});
const kinds = values.kinds?.split(',');
const wanted = positionals.includes('all') ? Object.keys(parts) : positionals.length > 0 ? positionals : usual;
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(', ')}; one or more of ${Object.keys(parts).join(', ')}, or all`);
  process.exit(2);
}

const figures = [];
for (const name of wanted) {
  process.stderr.write(`${name} …\n`);
  figures.push(...(await parts[name]()));
}
const before =
  values.before && new Map(JSON.parse(readFileSync(values.before, 'utf8')).figures.map((f) => [f.name, f.value]));
const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${pinning}`;
console.log(`${table(figures, before)}\n\n${machine}`);
if (values.docs) {
  const file = 'docs/performance.md';
  const place = /(<!-- bench -->\n)[\s\S]*?(<!-- end -->)/;
  writeFileSync(file, readFileSync(file, 'utf8').replace(place, `$1${table(figures)}\n\n${machine}\n$2`));
}
writeFileSync('bench.json', `${JSON.stringify({ machine, figures }, null, 2)}\n`);
if (!figures.every(isMet)) process.exitCode = 1;
