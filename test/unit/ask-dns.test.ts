// Which questions about names take one of the system's few threads, which files need too: never one that a silent server
// would keep. What servers and system answer is the test's.
import { promises as dns } from 'node:dns';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDns } from '../../src/webhooks/ask-dns.ts';

afterEach(() => void vi.restoreAllMocks());

/** Every server answers with that code; `lookUps` are the names that a thread of the system is taken for. */
function serversThatSay(code: string) {
  const answer = (): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));
  vi.spyOn(dns.Resolver.prototype, 'resolve4').mockImplementation(answer);
  vi.spyOn(dns.Resolver.prototype, 'resolve6').mockImplementation(answer);
  const lookUps: { readonly host: string; readonly end: () => void }[] = [];
  vi.spyOn(dns, 'lookup').mockImplementation(
    (host: string) => new Promise((end) => lookUps.push({ host, end: () => end([] as never) })),
  );
  return lookUps;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a name', () => {
  it('whose DNS server is silent takes no thread of the system', async () => {
    const lookUps = serversThatSay('ETIMEOUT');
    const ask = createDns();
    const { signal } = new AbortController();
    const asked = Array.from({ length: 20 }, (_, n) =>
      ask(`n${n}.silent.test`, 'hostile', signal).catch(({ code }) => code),
    );
    await settled();
    expect(lookUps).toEqual([]);
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['ETIMEOUT']));
  });

  it('that no server knows takes one thread of the system at a time, in turns of the worlds', async () => {
    const lookUps = serversThatSay('ENOTFOUND');
    const ask = createDns();
    const { signal } = new AbortController();
    for (let n = 0; n < 20; n++) void ask(`n${n}.unknown.test`, 'hostile', signal);
    void ask('printer.local', 'good', signal);
    await settled();
    expect(lookUps).toHaveLength(1);
    for (let n = 0; n < 3; n++) {
      lookUps.at(-1)?.end();
      await settled();
    }
    expect(lookUps).toHaveLength(4);
    expect(lookUps.map(({ host }) => host)).toContain('printer.local');
  });

  it('that nobody waits for any more takes no thread when its turn comes', async () => {
    const lookUps = serversThatSay('ENOTFOUND');
    const ask = createDns();
    const waiting = new AbortController();
    const abandoned = Array.from({ length: 20 }, (_, n) =>
      ask(`n${n}.unknown.test`, 'hostile', waiting.signal).catch(({ code }) => code),
    );
    const good = ask('printer.local', 'hostile', new AbortController().signal);
    await settled();
    waiting.abort();
    lookUps[0]?.end();
    await settled();
    expect(lookUps.map(({ host }) => host)).toEqual(['n0.unknown.test', 'printer.local']);
    lookUps[1]?.end();
    expect(await good).toEqual([]);
    expect((await Promise.all(abandoned)).slice(1)).toEqual(Array(19).fill('ENOTFOUND'));
  });
});
