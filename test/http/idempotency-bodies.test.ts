// Which bodies are the same under one idempotency key, and which are a conflict: the assumption `idempotency`.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, clientOf, expectError, FROM } from '../support/client.ts';
import { runs } from '../support/thorough.ts';
import { JSON_TYPE } from '../support/wire.ts';
import { expectFirst, expectReplay, useIdempotency } from './idempotency-setup.ts';
import { TO } from './setup.ts';

const { sandbox, client, wire, dial, countCalls } = useIdempotency();

describe('two bodies under one key', () => {
  const note = { b: [1, { x: null, y: 'z' }], a: { d: true, c: 0.5 } };
  const first = `{"from_number":"${FROM}","to_number":"${TO}","note":${JSON.stringify(note)}}`;

  it.each([
    ['the order of fields', `{"note":${JSON.stringify(note)},"to_number":"${TO}","from_number":"${FROM}"}`],
    [
      'the order of nested fields',
      `{"from_number":"${FROM}","to_number":"${TO}","note":{"a":{"c":0.5,"d":true},"b":[1,{"y":"z","x":null}]}}`,
    ],
    ['whitespace', JSON.stringify(JSON.parse(first), null, 4)],
    ['escapes', first.replace('note', '\\u006eote').replace('"z"', '"\\u007a"')],
    ['the notation of a number', first.replace('0.5', '5e-1').replace('[1,', '[1.0,')],
  ])('that differ by %s are the same', async (_, body) => {
    const key = randomUUID();
    const answer = await dial(key, {}, { body: first });
    expectFirst(answer, 202);
    expect(body).not.toBe(first);
    expectReplay(await dial(key, {}, { body }), answer);
  });

  it.each([
    ['the order of an array', first.replace('[1,{"x":null,"y":"z"}]', '[{"x":null,"y":"z"},1]')],
    ['a value', first.replace('0.5', '0.25')],
    ['the type of a value', first.replace('[1,', '["1",')],
    ['null in place of a missing field', first.replace('"d":true', '"d":true,"e":null')],
    ['an additional field, though it is ignored', first.replace(/\}$/, ',"more":1}')],
    ['a missing field', first.replace('"x":null,', '')],
    ['the case of a string', first.replace('"z"', '"Z"')],
    ['the dialed number', first.replace(TO, '+12125550101')],
  ])('that differ by %s are 409', async (_, body) => {
    const key = randomUUID();
    const before = await countCalls();
    expectFirst(await dial(key, {}, { body: first }), 202);
    expect(body).not.toBe(first);
    expectError(await dial(key, {}, { body }), 409, 'idempotency_conflict');
    expect(await countCalls()).toBe(before + 1);
  });

  it('are a conflict even if the second is invalid: the key comes before validation', async () => {
    const key = randomUUID();
    await dial(key);
    expectError(await dial(key, { to_number: '' }), 409, 'idempotency_conflict');
    expectError(await dial(key, { from_number: 7 }), 409, 'idempotency_conflict');
  });

  it('of an operation without a body are not compared', async () => {
    const path = `/v1/calls/${await client.call(TO)}/hangup`;
    const key = randomUUID();
    const hangup = (body: string): Promise<Answer> =>
      wire.send({ method: 'POST', path, headers: { ...JSON_TYPE, 'Idempotency-Key': key }, body });
    const answer = await hangup('{"reason":1}');
    expectFirst(answer, 200);
    expectReplay(await hangup('{"reason":2}'), answer);
  });

  it('are compared as JSON, for any value of an ignored field', async () => {
    await client.post('/_sandbox/worlds', { name: 'idempotency-bodies' });
    const { api_key } = (
      await clientOf(sandbox.url, 'svc_test_idempotency-bodies').post('/_sandbox/keys', {
        requests_per_minute: 100_000,
      })
    ).body.data;
    // A caller ID accepts unknown fields, and uses no call capacity.
    const send = (id: string, body: unknown): Promise<Answer> =>
      wire.send({
        method: 'POST',
        path: '/v1/caller-ids',
        key: api_key,
        headers: { ...JSON_TYPE, 'Idempotency-Key': id },
        body: JSON.stringify({ phone_number: '+14155550158', note: body }),
      });
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, each]) => [name, reversed(each)]),
      );
    };
    // Leaves out names that the body reader refuses and names that objects reorder.
    const name = fc.stringMatching(/^[a-z]{1,4}$/);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(null, true, false, 0, 1, -1.5, 1e21, '', 'text', '\u00e9', '\ud83d\ude00'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, value, async (one, other) => {
        const key = randomUUID();
        const first = await send(key, one);
        expect(first.status).toBe(201);
        expectReplay(await send(key, reversed(one)), first);
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        const second = await send(key, other);
        if (same) expectReplay(second, first);
        else expectError(second, 409, 'idempotency_conflict');
      }),
      { numRuns: runs(15, 150) },
    );
  });

  function sorted(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
  }
});
