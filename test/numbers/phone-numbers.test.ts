// The list of phone numbers: `spec.md` "Phone number" under "Resources and their fields" and `GET /v1/phone-numbers`; the
// rows paging, texting_status and cnam_status of `interface.md` section 9.
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { childOf, childOrganization, instant, pagesOf } from '../support/world.ts';

const { sandbox, client } = useSandbox({ clock: 'manual' });

const numbers = async (by: Client = client): Promise<Answer['body'][]> => (await by.get('/v1/phone-numbers')).body.data;

describe('the list of phone numbers', () => {
  it('shows every field of the specification', async () => {
    const { organization, user } = (await client.get('/v1/account')).body.data;
    expect((await numbers())[0]).toEqual({
      id: 4190,
      phone_number: '+14155550190',
      name: 'Front desk',
      organization_id: organization.id,
      user_id: user.id,
      provider: 'carrier',
      is_active: true,
      iso_country: 'US',
      reputation_enrolled_at: instant(-90 * 86_400_000),
      cnam_display_name: 'HARBOR DENTAL',
      cnam_status: 'approved',
      texting_enabled: true,
      texting_status: 'approved',
      created_at: instant(-90 * 86_400_000),
    });
  });

  it('shows which numbers are active and which may text', async () => {
    const rows = (await numbers()).map((number) => [
      number.phone_number,
      number.is_active,
      number.texting_enabled,
      number.texting_status,
      number.reputation_enrolled_at !== null,
    ]);
    expect(rows).toEqual([
      ['+14155550190', true, true, 'approved', true],
      ['+14155550191', true, true, 'approved', true],
      ['+14155550192', false, false, 'none', false],
      ['+14155550193', true, false, 'none', true],
    ]);
  });

  it('has the meta of agents', async () => {
    expect((await client.get('/v1/phone-numbers')).body.meta).toEqual({ page_size: 25, cursor: null });
  });

  it('is oldest first, as the assumption says', async () => {
    const created = (await numbers()).map(({ created_at }) => created_at);
    expect(created).toEqual([...created].sort());
  });

  it('is paged by cursor and page_size', async () => {
    const all = await numbers();
    for (const size of [1, 2, 3, 4]) {
      const pages = await pagesOf(client, '/v1/phone-numbers', size);
      expect(pages.flatMap(({ data }) => data)).toEqual(all);
      expect(pages.map(({ data }) => data.length)).toEqual(
        Array.from({ length: Math.ceil(4 / size) }, (_, page) => Math.min(size, 4 - page * size)),
      );
      expect(pages.map(({ meta }) => meta.page_size)).toEqual(pages.map(() => size));
    }
  });

  it.each(['page_size=0', 'page_size=101', 'page_size=x', 'cursor=x', 'area_code=415'])(
    'with %s returns 400 and names the parameter',
    async (query) => {
      const answer = await client.get(`/v1/phone-numbers?${query}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
    },
  );

  it('of a child has its own number, and the list of the parent does not', async () => {
    const organization_id = await childOrganization(client);
    const child = await childOf(sandbox.url, client);
    expect(await numbers(child)).toEqual([
      expect.objectContaining({
        phone_number: '+14155550194',
        organization_id,
        is_active: true,
        texting_status: 'approved',
      }),
    ]);
    expect((await numbers()).map(({ phone_number }) => phone_number)).not.toContain('+14155550194');
  });

  it('does not change with time: a number that is provisioning in the fixture stays so', async () => {
    const later = clientOf(sandbox.url, 'svc_test_later');
    const before = await numbers(later);
    await sandbox.world('later').clock.advance('30d');
    expect(await numbers(later)).toEqual(before);
  });
});
