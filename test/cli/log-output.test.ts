// Where the log goes when its output is slow, full or closed: lines are dropped and counted, and nothing waits for them.
import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { RequestLine } from '../../src/log-lines.ts';
import { fileSink, LogOutput, streamSink } from '../../src/log-output.ts';
import { createLog } from '../../src/pino-log.ts';
import { unhandledDuring } from '../support/unhandled.ts';

const request: RequestLine = {
  kind: 'request',
  world: 'default',
  method: 'GET',
  path: '/v1/calls',
  status: 200,
  error_code: null,
  scenario: null,
  source: null,
  duration_ms: 0,
};

/** An output that is written to, whose writes end when the test says so. */
function heldOutput() {
  const written: string[] = [];
  const pending: ((lost: number) => void)[] = [];
  const told: number[] = [];
  const output = new LogOutput(
    (text, done) => {
      written.push(text);
      pending.push(done);
    },
    (lost) => told.push(lost),
  );
  const end = (lost = 0): void => pending.shift()?.(lost);
  return { output, written, told, end };
}

describe('an output of the log', () => {
  it('that nobody reads holds a bounded text, whatever is logged, and the rest is counted', () => {
    const { output, written, end, told } = heldOutput();
    const line = `${'x'.repeat(199)}\n`;
    for (let n = 0; n < 100_000; n++) output.write(line);
    expect(written).toEqual([line]);
    expect(output.dropped).toBeGreaterThan(90_000);
    end();
    expect(written[1]?.length).toBeLessThanOrEqual(1024 * 1024);
    const kept = 1 + (written[1]?.length ?? 0) / line.length;
    expect(kept + output.dropped).toBe(100_000);
    expect(told).toEqual([]);
    end();
    expect(told).toEqual([output.dropped]);
  });

  it('that fails loses the lines of that write alone, and tells of them once it works again', () => {
    const { output, written, told, end } = heldOutput();
    output.write('a\nb\n');
    output.write('c\n');
    end(2);
    expect([output.dropped, told]).toEqual([2, []]);
    end();
    output.write('d\n');
    end();
    expect([written, told]).toEqual([['a\nb\n', 'c\n', 'd\n'], [2]]);
  });

  it('that throws is one that fails', () => {
    const output = new LogOutput(
      () => {
        throw new Error('no');
      },
      () => {},
    );
    for (let n = 0; n < 3; n++) output.write('a\n');
    expect(output.dropped).toBe(3);
  });

  it('holds up the end of a process for a limited time', async () => {
    const { output, end } = heldOutput();
    await output.flush(60_000);
    output.write('a\n');
    await output.flush(1);
    const flushed = output.flush(60_000);
    end();
    await flushed;
  });

  it('that is a full disk loses lines', () => {
    const lost: number[] = [];
    const closed = fileSink(1_000_000);
    for (const text of ['a\nb\n', 'c\n']) closed(text, (lines) => lost.push(lines));
    expect(lost).toEqual([2, 1]);
  });

  it('that is a closed pipe loses lines, and leaves no error unhandled', async () => {
    const lost: number[] = [];
    const unhandled = await unhandledDuring(async () => {
      const closed = streamSink(new Writable({ write: (_chunk, _encoding, done) => done(new Error('write EPIPE')) }));
      for (const text of ['a\nb\n', 'c\n'])
        await new Promise<void>((resolve) => closed(text, (lines) => resolve(void lost.push(lines))));
    });
    expect([lost, unhandled]).toEqual([[2, 1], []]);
  });
});

describe('a log', () => {
  it('never throws, whatever its record holds', async () => {
    let text = '';
    const log = await createLog('info', null, (more, done) => {
      text += more;
      done(0);
    });
    const bad = {
      get err(): never {
        throw new Error('a getter');
      },
    };
    log.error(bad, 'one');
    log.error({}, 'two');
    expect(text).toContain('could not be written');
    expect(text).toContain('two');
  });

  it.each(['json', 'terminal'])('says how many lines it has lost (%s)', async (form) => {
    let isFull = true;
    let text = '';
    const log = await createLog('error', form === 'json' ? null : {}, (more, done) => {
      if (!isFull) text += more;
      done(isFull ? 1 : 0);
    });
    for (let n = 0; n < 3; n++) log.error({}, 'lost');
    isFull = false;
    log.error({}, 'kept');
    await log.flush();
    expect(log.dropped).toBe(3);
    expect(text).toMatch(/kept[\s\S]*dropped"?: ?3/);
  });

  it('writes the JSON lines of a busy time together and in their order, the first and errors at once', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'setImmediate'] });
    try {
      const written: string[] = [];
      const log = await createLog('info', null, (text, done) => {
        written.push(text);
        done(0);
      });
      const messages = () => written.map((text) => text.match(/\d ms|last|wrong/g));
      for (let n = 0; n < 5; n++) {
        log.line('info', { ...request, duration_ms: n });
        log.line('debug', request);
        vi.advanceTimersByTime(1);
      }
      log.info({}, 'last');
      expect(messages()).toEqual([['0 ms']]);
      vi.advanceTimersByTime(20);
      expect(messages()).toEqual([['0 ms'], ['1 ms', '2 ms', '3 ms', '4 ms', 'last']]);
      log.error({}, 'wrong');
      expect(messages()[2]).toEqual(['wrong']);
      const stamp = { level: 30, time: expect.any(Number) };
      expect(JSON.parse(written[0] as string)).toEqual({ ...stamp, ...request, msg: 'GET /v1/calls 200 0 ms' });
    } finally {
      vi.useRealTimers();
    }
  });
});
