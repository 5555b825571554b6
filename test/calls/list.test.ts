// GET /v1/calls: order, fields of an item, and pages (row paging of `interface.md` section 9).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { idsOf, listed } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

describe('the list of calls', () => {
  it('is newest first, then the fixture; its items carry no outcome fields', async () => {
    const first = await client.call('+12125550100');
    const second = await client.call('+12125550101');
    await sandbox.clock.untilIdle();
    const third = await client.call('+12125550100');
    const { data, meta } = await listed(client);
    expect(idsOf({ data }).slice(0, 3)).toEqual([third, second, first]);
    expect(meta).toEqual({ cursor: null, total_results: 10, page_size: 100 });
    const started = data.map((call: { started_at: string }) => call.started_at);
    expect(started).toEqual([...started].sort().reverse());
    for (const item of data) {
      const call = await client.readCall(item.id);
      const { failure_code: _, failure_category: _c, call_outcome: _o, disconnection_reason: _r, ...shared } = call;
      expect(item).toEqual(shared);
    }
  });

  it('has 25 items a page by default', async () => {
    for (let calls = 0; calls < 20; calls++) await client.call('+12125550100');
    const first = (await client.get('/v1/calls')).body;
    expect(first.data).toHaveLength(25);
    expect(first.meta).toEqual({ cursor: expect.any(String), total_results: 27, page_size: 25 });
    const last = (await client.get(`/v1/calls?cursor=${first.meta.cursor}`)).body;
    expect(last.data).toHaveLength(2);
    expect(last.meta).toEqual({ cursor: null, total_results: 27, page_size: 25 });
  });

  it('has no cursor when the page holds exactly the remaining items', async () => {
    expect((await client.get('/v1/calls?page_size=7')).body.meta.cursor).toBeNull();
    expect((await client.get('/v1/calls?page_size=6')).body.meta.cursor).toEqual(expect.any(String));
  });

  it.each(['0', '-1', '101', '1000000', '1.5', 'abc', '', 'NaN'])('page_size=%s is 400', async (size) => {
    const answer = await client.get(`/v1/calls?page_size=${size}`);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['page_size']);
  });

  it('accepts a page_size from 1 to 100', async () => {
    expect((await client.get('/v1/calls?page_size=1')).body.data).toHaveLength(1);
    expect((await client.get('/v1/calls?page_size=100')).body.meta.page_size).toBe(100);
  });

  it('an unknown query parameter is 400 and named', async () => {
    const answer = await client.get('/v1/calls?status=BUSY');
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['status']);
  });

  it('pages hold the calls of the first read, each once, whatever arrives in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
        async (calls, pageSize, arrivals) => {
          await sandbox.reset();
          for (let made = 0; made < calls; made++) await client.call('+12125550100');
          const expected = idsOf(await listed(client));
          const seen: string[] = [];
          let total = calls + 7;
          for (let cursor: string | null = '', page = 0; cursor !== null; page++) {
            const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
            const { data, meta }: Answer['body'] = (await client.get(`/v1/calls?page_size=${pageSize}${from}`)).body;
            expect(meta).toEqual({ cursor: meta.cursor, total_results: total, page_size: pageSize });
            seen.push(...idsOf({ data }));
            cursor = meta.cursor;
            for (let made = 0; made < (arrivals[page] ?? 0); made++, total++) await client.call('+12125550101');
          }
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('a cursor of another list is 400', async () => {
    for (const event_type of ['new_call', 'call_busy']) {
      await client.post('/api/v1/webhook_subscriptions', { webhook_url: 'http://127.0.0.1:9/', event_type });
    }
    for (const path of ['/v1/agents', '/v1/caller-ids', '/v1/phone-numbers', '/api/v1/webhook_subscriptions']) {
      const { cursor } = (await client.get(`${path}?page_size=1`)).body.meta;
      const answer = await client.get(`/v1/calls?cursor=${cursor}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual(['cursor']);
    }
  });

  it('a cursor that no list returned is 400', async () => {
    const garbage = ['', 'x', 'AAAA', '0', '-1', 'null', 'Y2FsbHM', '%00', '%F0%9F%98%80', 'x'.repeat(300)];
    for (const cursor of garbage) {
      const answer = await client.get(`/v1/calls?cursor=${cursor}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual(['cursor']);
    }
  });

  it('a cursor that was changed is 400', async () => {
    const { cursor } = (await client.get('/v1/calls?page_size=2')).body.meta;
    for (const changed of [`${cursor}!!`, `!${cursor}`, `${cursor}%20`, `${cursor}IHg`]) {
      expectError(await client.get(`/v1/calls?cursor=${changed}`), 400, 'validation_error');
    }
  });
});
