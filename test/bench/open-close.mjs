// Opens sandboxes one after the other, asks each one thing, dials in it and closes it; prints the milliseconds that each
// took to open and in all, as JSON, and the CPU's time of all. The module is loaded before, and so is Node's own `fetch`,
// whose first use takes 60 ms in any process, with a sandbox or without.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSandbox } from '../../dist/index.js';

const bare = createServer((req, res) => {
  req.resume().on('end', () => res.setHeader('Content-Type', 'application/json').end('{}'));
}).listen(0, '127.0.0.1');
await once(bare, 'listening');
await post(`http://127.0.0.1:${bare.address().port}`, 'none');
bare.closeAllConnections();
bare.close();

const sandboxes = [];
for (let round = 0; round < 5; round++) {
  const began = performance.now();
  const usage = process.cpuUsage();
  const sandbox = await createSandbox({ clock: 'manual' });
  const openMs = performance.now() - began;
  await sandbox.clock.now();
  await post(`${sandbox.url}/v1/calls/dial`, sandbox.apiKey);
  await sandbox.close();
  const { user, system } = process.cpuUsage(usage);
  sandboxes.push({ openMs, ms: performance.now() - began, cpuMs: (user + system) / 1000 });
}
console.log(JSON.stringify(sandboxes));

async function post(url, key) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ from_number: '+14155550190', to_number: '+12125550101' }),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  await answer.json();
}
