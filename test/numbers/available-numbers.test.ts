// Numbers that can be ordered: the assumption available_numbers, and the rows of `interface.md` section 9 for
// /v1/phone-numbers.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { type Answer, expectError } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { order } from '../support/texting.ts';
import { childOf } from '../support/world.ts';
import { AVAILABLE, availableNumbers } from './setup.ts';

const { sandbox, client } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('available numbers', () => {
  it('are 555-0150 to 0169 of the requested area code, with the meta of phone numbers', async () => {
    const { data, meta } = (await client.get(`${AVAILABLE}?area_code=212`)).body;
    expect(data[0]).toEqual({ phone_number: '+12125550150', area_code: '212', iso_country: 'US' });
    expect(data.map((each: Answer['body']) => each.phone_number)).toEqual(
      Array.from({ length: 20 }, (_, n) => `+12125550${150 + n}`),
    );
    expect(meta).toEqual({ page_size: 25, cursor: null });
  });

  it("are in the area code of the organization's oldest number by default", async () => {
    expect((await availableNumbers(client))[0]).toBe('+14155550150');
  });

  it.each(['212', '307', '415', '808', '989'])('exist in the area code %s', async (area) => {
    expect(await availableNumbers(client, `&area_code=${area}`)).toHaveLength(20);
  });

  it.each([
    ['800', 'which is toll-free'],
    ['900', 'which is premium-rate'],
    ['416', 'which is in Canada'],
    ['211', 'which is a service code'],
    ['299', 'which is unassigned'],
  ])('do not exist in the area code %s, %s', async (area) => {
    expect(await availableNumbers(client, `&area_code=${area}`)).toEqual([]);
    expectError(await order(client, { area_code: area }), 409, 'conflict');
  });

  it('are paged by cursor and page_size', async () => {
    const all = await availableNumbers(client, '&area_code=212');
    const pages: string[][] = [];
    for (let query = ''; ; ) {
      const { data, meta } = (await client.get(`${AVAILABLE}?area_code=212&page_size=8${query}`)).body;
      pages.push(data.map((each: Answer['body']) => each.phone_number));
      if (meta.cursor === null) break;
      query = `&cursor=${meta.cursor}`;
    }
    expect(pages.map(({ length }) => length)).toEqual([8, 8, 4]);
    expect(pages.flat()).toEqual(all);
  });

  it('continue after the cursor even if its number has been taken since', async () => {
    const { meta } = (await client.get(`${AVAILABLE}?area_code=212&page_size=2`)).body;
    dataOf(await order(client, { phone_number: '+12125550151' }), 201);
    const next = (await client.get(`${AVAILABLE}?area_code=212&page_size=2&cursor=${meta.cursor}`)).body;
    expect(next.data[0].phone_number).toBe('+12125550152');
  });

  it.each([
    'area_code=21',
    'area_code=112',
    'area_code=abc',
    'area_code=',
    'page_size=0',
    'cursor=x',
    'cursor=KzE',
    'cursor=x&area_code=555',
  ])('are 400 for an invalid query and name the parameter: %s', async (query) => {
    const answer = await client.get(`${AVAILABLE}?${query}`);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
  });

  it('explain what an area code is in the 400, and name the assumption', async () => {
    const answer = await client.get(`${AVAILABLE}?area_code=21`);
    expect(answer.body.error.fields.area_code).toBe(
      'is "21"; must be an area code of three digits, the first from 2 to 9, such as 212',
    );
    expect(answer.headers['x-sandbox-assumptions']).toBe('available_numbers');
  });

  it('leave out the numbers that an organization of the world has, children included', async () => {
    const child = await childOf(sandbox.url, client);
    dataOf(await order(child, { phone_number: '+12125550151' }), 201);
    dataOf(await order(client), 201);
    expect((await availableNumbers(client, '&area_code=212')).slice(0, 2)).toEqual(['+12125550152', '+12125550153']);
    expect(await availableNumbers(child, '&area_code=212')).toEqual(await availableNumbers(client, '&area_code=212'));
  });
});
