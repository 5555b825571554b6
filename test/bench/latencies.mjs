// A load whose every request is timed, to a fraction of a millisecond: some connections, each with one request at a time.
// Prints its 99th percentile and requests a second as JSON.
import { Client } from 'undici';
import { percentile } from './figures.mjs';

const { url, seconds, method = 'GET', path, headers = {}, body, connections } = JSON.parse(process.argv[2]);
const took = [];
let failed = 0;
const end = performance.now() + seconds * 1000;
async function connection() {
  const client = new Client(url);
  while (performance.now() < end) {
    const began = performance.now();
    const answer = await client.request({ method, path, headers, body });
    await answer.body.dump();
    took.push(performance.now() - began);
    if (answer.statusCode >= 300) failed += 1;
  }
  await client.close();
}
await Promise.all(Array.from({ length: connections }, connection));
const p99 = percentile(took, 0.99);
console.log(JSON.stringify({ total: took.length, failed, perSecond: took.length / seconds, p99 }));
