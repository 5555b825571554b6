// An agent that sends and does not read, or sends more than can be read.
import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { serveStdio } from '../../src/mcp/serve-stdio.ts';
import { useSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const { sandbox } = useSandbox({ clock: 'manual' });

/** The tools, for an agent that reads nothing until `readAll` is called. */
function unreadAgent() {
  const input = new PassThrough();
  let answers = 0;
  let isReading = false;
  let read = (): void => {};
  const output = new Writable({
    write(chunk, _, done) {
      answers += String(chunk).split('\n').length - 1;
      if (isReading) done();
      else read = done;
    },
  });
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const ended = serveStdio({ url: sandbox.url }, { stop: stopped, input, output });
  return {
    input,
    output,
    ended,
    stop,
    answers: () => answers,
    readAll: () => {
      isReading = true;
      read();
    },
    ask: (id: number, method: string) => input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`),
  };
}

it('requests are not read while too many answers wait, and all are answered then', async () => {
  const agent = unreadAgent();
  agent.ask(0, 'tools/list');
  await until(() => agent.output.writableLength > 0).toBe(true);
  const count = Math.ceil((20 * 1024 * 1024) / agent.output.writableLength);
  for (let id = 1; id <= count; id++) agent.ask(id, 'tools/list');
  await until(() => agent.input.isPaused()).toBe(true);
  // Of what is sent from now on, nothing is answered.
  const waiting = agent.output.writableLength;
  for (let id = 1; id <= count; id++) agent.ask(count + id, 'tools/list');
  await sandbox.clock.now();
  expect(agent.output.writableLength).toBe(waiting);
  agent.readAll();
  await until(agent.answers).toBe(1 + 2 * count);
  agent.stop();
  await agent.ended;
});

it('ends when nobody can read its answers any more', async () => {
  const agent = unreadAgent();
  agent.output.destroy();
  await agent.ended;
});

it('ends at a message that is too long, and says so', async () => {
  const agent = unreadAgent();
  agent.input.write('a'.repeat(11 * 1024 * 1024));
  await expect(agent.ended).rejects.toThrow('mcp: the agent sent a message of more than 10485760 bytes');
});
