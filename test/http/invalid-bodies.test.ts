// Bodies that cannot be read: not JSON, not UTF-8, nested too deeply, with prototype keys. Each is 400 and stores
// nothing (`spec.md` "Errors").
import { beforeAll, describe, expect, it } from 'vitest';
import { stretched } from '../support/until.ts';
import { JSON_TYPE } from '../support/wire.ts';
import { dialBody, expectNoPollution, expectRefusal, RESERVED, useUnchangedPlatform } from './setup.ts';

const { client, wire, dial } = useUnchangedPlatform({ rateLimit: 'off' });

let agentId: string;
beforeAll(async () => {
  agentId = (await client.get('/v1/agents')).body.data[0].id;
});

describe('a body that is not JSON', () => {
  it.each([
    '{',
    '}',
    ' ',
    '{"from_number":}',
    "{'from_number':'x'}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":1}{"b":2}',
    '{"a":"line\nbreak"}',
    '// comment\n{}',
    '[1',
    '"',
    'undefined',
    'NaN',
    '\u0000',
    'to_number=%2B12125550100',
    '<to_number>+12125550100</to_number>',
  ])('%j is 400 about the body, quoting none of it', async (body) => {
    const answer = await dial({}, { body });
    expectRefusal(answer, 400, 'validation_error', 'body');
    if (body.length > 6) expect(answer.text).not.toContain(body);
  });
});

describe('a body that is not UTF-8', () => {
  it.each([
    ['a lone continuation byte', [0x80]],
    ['a sequence cut short', [0xe2, 0x82]],
    ['an overlong encoding of a slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a code point beyond the last one', [0xf4, 0x90, 0x80, 0x80]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('%s is 400', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"note":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expectRefusal(await dial({}, { body }), 400, 'validation_error', 'body');
  });
});

describe('a body with deep nesting', () => {
  it.each([1_000, 10_000, 120_000])('of %i brackets is 400 at once', async (depth) => {
    const began = performance.now();
    for (const body of [
      '['.repeat(depth),
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
      dialBody({ note: 0 }).replace('"note":0', `"note":${'['.repeat(depth)}${']'.repeat(depth)}`),
      `${'{"a":'.repeat(depth / 4)}0${'}'.repeat(depth / 4)}`,
    ]) {
      expectRefusal(await dial({}, { body }), 400, 'validation_error', 'body');
    }
    expect(performance.now() - began).toBeLessThan(stretched(2000));
  });
});

describe('a body with many names', () => {
  const named = (count: number) => Array.from({ length: count }, (_, n) => ({ [`name ${n}`]: 'a: b, "c": d' }));

  it('is 400 past 5,000 of them, wherever they are', async () => {
    const body = (count: number) => JSON.stringify({ note: named(count - 1) });
    expectRefusal(await dial({}, { body: body(5000) }), 400, 'destination_missing', 'to_number');
    const answer = await dial({}, { body: body(5001) });
    expectRefusal(answer, 400, 'validation_error', 'body');
    expect(answer.body.error.fields.body).toBe('has more than 5,000 names in its objects');
  });
});

describe('a body with prototype keys', () => {
  it.each([
    ['one that is escaped', '{"\\u005f_proto__":{"polluted":1}}'],
    ['one in an object', '{"note":{"__proto__":{"polluted":1}}}'],
    ['one in an array', '{"note":[{"constructor":{"prototype":{"polluted":1}}}]}'],
    ['one that is null', '{"__proto__":null}'],
  ])('such as %s is 400', async (_, text) => {
    expectRefusal(
      await dial({}, { body: text.replace('{', `${dialBody().slice(0, -1)},`) }),
      400,
      'validation_error',
      'body',
    );
    expectNoPollution();
  });

  it.each(RESERVED.slice(1))('whose schema is closed is 400, naming the field %s', async (name) => {
    const body = JSON.stringify({ [name]: 1 });
    const answer = await wire.send({ method: 'PATCH', path: `/v1/agents/${agentId}`, headers: JSON_TYPE, body });
    expectRefusal(answer, 400, 'validation_error', name);
  });
});
