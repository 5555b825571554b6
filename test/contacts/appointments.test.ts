// Appointments: `spec.md` "Appointment (booking)" under "Resources and their fields" and `GET /v1/appointments`.
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { childOf, childOrganization, instant, pagesOf } from '../support/world.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

const HOUR = 3_600_000;
const listed = async (by: Client = client): Promise<Answer['body'][]> => (await by.get('/v1/appointments')).body.data;
const book = async (body: object): Promise<Answer['body']> => {
  const answer = await client.post('/_sandbox/simulate/new-appointment', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

describe('the list of appointments', () => {
  it('holds every booking of the organization with every field of the specification, newest first', async () => {
    const { status, body } = await client.get('/v1/appointments');
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        title: 'Check-up',
        description: 'Yearly check-up',
        contact_name: 'Avery Lindqvist',
        contact_email: 'avery@mail.example',
        start_time: instant(26 * HOUR),
        end_time: instant(26.5 * HOUR),
        timezone: 'America/Los_Angeles',
        status: 'confirmed',
        event_type: 'appointment',
        scheduling_option: 'phone',
        notes: null,
        created_at: instant(-49 * HOUR),
      },
      {
        id: expect.any(String),
        title: 'Filling',
        description: null,
        contact_name: 'Tomas Brightwater',
        contact_email: null,
        start_time: instant(-20 * HOUR),
        end_time: instant(-19.5 * HOUR),
        timezone: 'America/Los_Angeles',
        status: 'completed',
        event_type: 'appointment',
        scheduling_option: 'phone',
        notes: 'Prefers the afternoon.',
        created_at: instant(-9 * 24 * HOUR),
      },
    ]);
    expect(body.meta).toEqual({ cursor: null, total_results: 2, page_size: 25 });
  });

  it('is in the order of booking, not of start times', async () => {
    await sandbox.clock.advance('1m');
    const late = await book({ title: 'Late', start_time: instant(500 * HOUR) });
    const soon = await book({ title: 'Soon', start_time: instant(2 * HOUR) });
    expect((await listed()).map(({ id }) => id).slice(0, 2)).toEqual([soon.id, late.id]);
  });

  it('is paged by cursor and page_size, each booking once', async () => {
    for (let n = 0; n < 5; n++) await book({ title: `Number ${n}` });
    const whole = await listed();
    const pages = await pagesOf(client, '/v1/appointments', 3);
    expect(pages.flatMap(({ data }) => data)).toEqual(whole);
    expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1]);
    expect(pages.map(({ meta }) => meta.total_results)).toEqual([7, 7, 7]);
  });

  it.each(['page_size=0', 'page_size=101', 'cursor=x', 'status=confirmed'])(
    'with %s is 400 and names the parameter',
    async (query) => {
      const answer = await client.get(`/v1/appointments?${query}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
    },
  );

  it('of a sub-entity holds only its own bookings', async () => {
    const child = await childOf(sandbox.url, client);
    expect(await listed(child)).toEqual([]);
    const theirs = await book({ title: 'Braces', organization_id: await childOrganization(client) });
    expect(await listed(child)).toEqual([theirs]);
    expect(await listed()).toHaveLength(2);
  });
});
