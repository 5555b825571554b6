import { describe, expect, it } from 'vitest';
import { serializeEvent } from '../../src/admin/events.ts';
import { serializeRequest } from '../../src/admin/requests.ts';
import type { EventEntry, RequestEntry, StepEntry } from '../../src/model.ts';
import { eventJson, HeaderJson, RequestJson, stepJson } from '../../src/stream/entry-json.ts';
import { bytesOf, type Frame, Frames } from '../../src/stream/frames.ts';
import { recorded, requestEntry } from '../support/journal-entries.ts';

const request = (headers: Record<string, string>, body: string): RequestEntry =>
  requestEntry({
    request: recorded(body, headers),
    response: { ...recorded('{}', { 'Content-Type': 'application/json' }), body_sha256: 'of the whole body' },
  });

const event = (body: object): EventEntry => ({
  id: 'evt_1',
  at: '2026-01-05T15:00:00.000Z',
  event_type: 'new_call',
  subject: { table: 'calls', id: '"payload":{}' },
  organization_id: 'org_1',
  body: JSON.stringify(body),
  schema_violations: [],
  deliveries: 1,
  unheard: [],
  cause: 'stp_1',
});

describe('what the stream tells of an entry', () => {
  it('is, for a request, the JSON of what the control API shows', () => {
    const json = new RequestJson();
    for (const value of ['a', 'a', 'b "quoted" \\ \u0001', 'a']) {
      const entry = request({ host: 'localhost', 'x-"odd"': value, ['__proto__']: 'kept' }, `{"text":"${value} €"}`);
      expect(json.of(entry)).toBe(JSON.stringify(serializeRequest(entry)));
    }
  });

  it('has the headers of each message, however they differ from those before', () => {
    const json = new HeaderJson();
    const some = { a: '1', b: '2', c: '3' };
    const others = [some, some, {}, some, { a: '1', b: 'x', c: '3' }, { a: '1', c: '3' }, { b: '2', a: '1' }, some];
    for (const headers of others) expect(json.of(headers)).toBe(JSON.stringify(headers));
  });

  it('is, for a request with faults, a scenario, a key and an error, the same', () => {
    const scenario = { name: 'say "no"', parameters: { a: '"' }, source: 'header', outranked: [] } as const;
    const faults = [{ id: 'flt_1', effect: 'respond=502;when="after"' }];
    const entry = {
      ...request({}, 'a'),
      ...{ method: 'M-SEARCH', path: '/"%22\\', query: 'a="b"', key_id: 'key_1', error_code: 'not_found' },
      ...{ replayed: true, fault: 'reset;when=after', faults },
    };
    const json = new RequestJson();
    for (const each of [entry, { ...entry, scenario }, { ...entry, scenario: null }, { ...entry, scenario }]) {
      expect(json.of(each)).toBe(JSON.stringify(serializeRequest(each)));
    }
  });

  it('is, for a step, its JSON', () => {
    const subject = { table: 'calls', id: '"odd"' } as const;
    const step = { id: 'stp_1', at: '', subject, trigger: 'create', from: null, to: 'QUEUED', cause: null } as const;
    const scenario = { name: 'answered', parameters: {}, source: 'number', outranked: [] } as const;
    const others = { from: 'a', to: null, cause: 'req_1', scenario: undefined };
    const steps: StepEntry[] = [step, { ...step, ...others }, { ...step, scenario }, { ...step, error: 'a "b"' }];
    for (const each of steps) expect(stepJson(each)).toBe(JSON.stringify(each));
  });

  it('is, for an event, the JSON of what the control API shows', () => {
    for (const body of [
      {},
      { id: 'a', text: '"payload":{} $& $1', nested: { payload: {} } },
      { text: '€ \u2028 \\' },
    ]) {
      for (const each of [event(body), { ...event(body), signed: true as const }, { ...event(body), subject: null }])
        expect(eventJson(each)).toBe(JSON.stringify(serializeEvent(each)));
    }
  });
});

/** Texts by RFC 6455, section 5.2. */
function textsIn(frames: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < frames.length; ) {
    expect(frames[at]).toBe(0x81);
    const short = frames.readUInt8(at + 1);
    const length =
      short === 126 ? frames.readUInt16BE(at + 2) : short === 127 ? Number(frames.readBigUInt64BE(at + 2)) : short;
    const begin = at + (short === 126 ? 4 : short === 127 ? 10 : 2);
    texts.push(frames.toString('utf8', begin, begin + length));
    at = begin + length;
  }
  return texts;
}

describe('frames of the stream', () => {
  const short = ['', 'a', '€'.repeat(41), 'b'.repeat(125), 'c'.repeat(126), 'd'.repeat(65_535), '€'.repeat(30_000)];

  it('hold messages of every length, in bytes', () => {
    const out = new Frames();
    const texts = [...short, ...short, ...short.toReversed(), 'e'.repeat(300_000), ...short];
    const frames: Frame[] = [];
    for (const text of [...texts, '\ud800']) {
      out.begin();
      out.write('given up');
      out.begin();
      for (let at = 0; at < text.length; at += 1000) out.write(text.slice(at, at + 1000));
      frames.push(out.end());
    }
    expect(textsIn(Buffer.concat(bytesOf(frames)))).toEqual([...texts, '\ufffd']);
    const someOfThem = frames.filter((_, n) => n % 3 !== 0);
    expect(textsIn(Buffer.concat(bytesOf(someOfThem)))).toEqual([...texts, '\ufffd'].filter((_, n) => n % 3 !== 0));
    expect(bytesOf([])).toEqual([]);
  });

  it('that are next to one another are sent in one piece', () => {
    const out = new Frames();
    const frames = ['a', 'b'.repeat(200), 'c'.repeat(70_000)].map((text) => {
      out.begin();
      out.write(text);
      return out.end();
    });
    expect(bytesOf(frames.slice(0, 2))).toHaveLength(1);
    expect(bytesOf(frames.filter((_, n) => n !== 1))).toHaveLength(2);
  });
});
