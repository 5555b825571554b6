// What a bench asks a server for: JSON over a few kept connections, an answer outside of 2xx ends the bench.
import { Agent, request } from 'undici';

const dispatcher = new Agent({ connections: 32 });

export async function ask(url, method, path, { key = 'svc_sandbox_default', headers = {}, body } = {}) {
  const answer = await request(url + path, {
    method,
    dispatcher,
    headersTimeout: 600_000,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Milliseconds until the answer is there. */
export async function timed(...question) {
  const began = performance.now();
  await ask(...question);
  return performance.now() - began;
}

/** Does a thing so many times, 32 at once; it is handed 0, 1, 2, … */
export async function times(count, thing) {
  let next = 0;
  const lane = async () => {
    while (next < count) await thing(next++);
  };
  await Promise.all(Array.from({ length: 32 }, lane));
}

export const dialTo = (to_number) => ({ body: { from_number: '+14155550190', to_number } });
