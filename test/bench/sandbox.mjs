// A sandbox in a process whose heap can be asked for: prints its address, and answers every message with the bytes in
// use after a collection.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSandbox } from '../../dist/index.js';

const sandbox = await createSandbox(JSON.parse(process.argv[2]));
process.on('message', async () => {
  await sleep(1000);
  globalThis.gc();
  globalThis.gc();
  process.send({ heap: process.memoryUsage().heapUsed });
});
console.log(JSON.stringify({ url: sandbox.url }));
