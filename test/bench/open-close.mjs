// Opens sandboxes one after the other, asks each one thing, dials in it and closes it; prints the milliseconds that each
// took, as JSON, and the same of the CPU's time. The module is loaded before.
import { createSandbox } from '../../dist/index.js';

const sandboxes = [];
for (let round = 0; round < 5; round++) {
  const began = performance.now();
  const usage = process.cpuUsage();
  const sandbox = await createSandbox({ clock: 'manual' });
  await sandbox.clock.now();
  const answer = await fetch(`${sandbox.url}/v1/calls/dial`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ from_number: '+14155550190', to_number: '+12125550101' }),
  });
  await answer.json();
  await sandbox.close();
  const { user, system } = process.cpuUsage(usage);
  sandboxes.push({ ms: performance.now() - began, cpuMs: (user + system) / 1000 });
}
console.log(JSON.stringify(sandboxes));
