// 1,000,000 requests: dials on the instant clock, reads, errors and a reset in every round; memory must end where it
// stood once the first tenth had filled the journals.
import { ask } from './ask.mjs';
import { figure } from './figures.mjs';
import { load, run, weighed } from './processes.mjs';

const REQUESTS = 1_000_000;
const SECONDS = 4;
const headers = { Authorization: 'Bearer svc_sandbox_default', 'Content-Type': 'application/json' };
const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550101' });

export async function soak() {
  const { url, heap, stop } = await weighed({ clock: 'instant', rateLimit: 'off', concurrentCalls: 'off' });
  try {
    let done = 0;
    let early;
    while (done < REQUESTS) {
      for (const [path, request] of [
        ['/v1/calls/dial', { method: 'POST', headers, body }],
        ['/v1/calls', { headers }],
      ]) {
        done += (await load(url + path, request, SECONDS)) * SECONDS;
      }
      const refused = { url: `${url}/v1/calls/dial`, seconds: SECONDS, method: 'POST', headers, body: '{"from' };
      done += (await run('load.mjs', refused)).total;
      await ask(url, 'POST', '/_sandbox/reset');
      if (early === undefined && done > REQUESTS / 10) early = await heap();
    }
    const late = await heap();
    const mb = (bytes) => (bytes / 1024 ** 2).toFixed(1);
    const detail = `${mb(early)} MB after a tenth, ${mb(late)} MB after ${Math.round(done)} requests`;
    return [figure('heap at the end of the soak, of its beginning', late / early, '×', { most: 1.1 }, detail)];
  } finally {
    await stop();
  }
}
