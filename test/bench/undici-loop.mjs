// The baseline of delivery: a loop that POSTs the same body by undici, so many at once, over kept connections or over
// a new one each time. Prints POSTs a second.
import { Agent, request } from 'undici';

const { url, times, atOnce, body, headers, connections } = JSON.parse(process.argv[2]);
const dispatcher = new Agent({ connections: atOnce, pipelining: connections === 'fresh' ? 0 : 1 });
let left = times;
async function lane() {
  while (left-- > 0) {
    const answer = await request(url, { method: 'POST', body, headers, dispatcher });
    await answer.body.dump();
  }
}
const began = performance.now();
await Promise.all(Array.from({ length: atOnce }, lane));
console.log(JSON.stringify({ perSecond: times / ((performance.now() - began) / 1000) }));
await dispatcher.close();
