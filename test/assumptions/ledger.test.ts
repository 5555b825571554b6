// The ledger itself: every value that can be set has a test, bad values are refused, and values outlive resets and restarts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settableNames } from '../../src/assumptions/values.ts';
import { createSandbox } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useSandbox } from '../support/sandbox.ts';
import { type Json, worldWith } from './setup.ts';

describe('the ledger', () => {
  const { sandbox } = useSandbox({ clock: 'manual' });
  const folderOf = temporaryFolders();

  it('has a test for each assumption that can be set', () => {
    const folder = new URL('.', import.meta.url).pathname;
    const tests = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const tested = new Set(
      tests.flatMap((text) => [...text.matchAll(/name: '(\w+)'|it(?:\.each)?\(.*?'?(\w+)[: ]/g)]).flat(),
    );
    const untested = settableNames.filter(
      (name) => !tested.has(name) && !tests.some((text) => text.includes(`{ ${name}: `)),
    );
    expect(untested).toEqual([]);
    expect(settableNames.length).toBeGreaterThanOrEqual(25);
  });

  it.each([
    ['timestamps', 'second', 'must be one of milliseconds, seconds, offset; did you mean seconds?'],
    ['scope_missing_status', 402, 'must be one of 403, 401'],
    ['texting_status', 'nothing', 'must be one of none, null'],
    ['delivery_timeout', 999, 'must be an integer from 1000 to 60000'],
    ['delivery_timeout', '2000', 'must be an integer from 1000 to 60000'],
  ])('refuses %s: %j with what is allowed', async (name, value, says) => {
    const client = await worldWith(sandbox, {});
    const put = await client.put(`/_sandbox/assumptions/${name}`, { value });
    expectError(put, 400, 'validation_error');
    expect(put.body.error.fields).toEqual({ value: says });
    const posted = await client.post('/_sandbox/worlds', { assumptions: { [name]: value } });
    expectError(posted, 400, 'validation_error');
    expect(posted.body.error.fields).toEqual({ [`assumptions.${name}`]: says });
  });

  it('names those that can be set when one is unknown or cannot be', async () => {
    const { body } = await clientOf(sandbox.url).post('/_sandbox/worlds', {
      assumptions: { timestamp: 'seconds', me: 1 },
    });
    const { fields } = body.error;
    expect(fields['assumptions.timestamp']).toMatch(
      /^is not an assumption; .*delivery_policy.*; did you mean timestamps\?$/,
    );
    expect(fields['assumptions.me']).toMatch(/^cannot be set; those that can be set are timestamps, /);
  });

  it('takes null for the value null, as YAML writes it', async () => {
    const client = await worldWith(sandbox, { texting_status: null });
    expect((await client.post('/v1/phone-numbers', {})).body.data.texting_status).toBeNull();
  });

  it('shows the value, the default, what is allowed, the words, and where it is used', async () => {
    const client = await worldWith(sandbox, { default_page_size: 7 });
    const { data } = (await client.get('/_sandbox/assumptions')).body;
    const row = data.find(({ name }: Json) => name === 'default_page_size');
    expect(row).toMatchObject({ value: 7, default: 25, allowed: { minimum: 1, maximum: 100 } });
    expect(row.words).toContain('default page size');
    expect(row.used_in).toEqual(expect.arrayContaining(['GET /v1/calls', 'GET /v1/agents']));
    const events = data.find(({ name }: Json) => name === 'delivery_policy').used_in;
    expect(events).toEqual(expect.arrayContaining(['webhook new_call', 'webhook number_purchased']));
    expect(data.filter(({ used_in }: Json) => used_in.length === 0).map(({ name }: Json) => name)).toEqual([]);
  });

  it('keeps the values of a world over a reset and a restart', async () => {
    const state = join(folderOf({}), 'state.json');
    const first = await createSandbox({ clock: 'manual', state });
    const { name } = await (async () => {
      const client = await worldWith(first, { timestamps: 'seconds', default_page_size: 3 });
      await client.post('/_sandbox/reset');
      return { name: client.key };
    })();
    await first.close();
    const second = await createSandbox({ clock: 'manual', state });
    const { data, meta } = (await clientOf(second.url, name).get('/v1/calls')).body;
    await second.close();
    expect([meta.page_size, /T\d\d:\d\d:\d\dZ$/.test(data[0].started_at)]).toEqual([3, true]);
  });
});
