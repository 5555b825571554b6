// Any event fired by hand with any `data`, at random (`interface.md` section 5).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENTERPRISE } from '../support/caller-trust.ts';
import { type Answer, type Client, FROM, NOWHERE } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { freshWorld } from '../support/webhooks.ts';
import { fireWith, specTypes, UNLIMITED } from './setup.ts';
import { expectShown } from './shown-by-api.ts';

const { sandbox } = useSandbox(UNLIMITED);

type Body = Answer['body'];

describe('any event with any data', () => {
  /** A record that an earlier step has made or found, by the position among those of its kind. */
  interface Pick {
    readonly of: string;
    readonly n: number;
  }
  const pick = (of: string): fc.Arbitrary<Pick> => fc.record({ of: fc.constant(of), n: fc.nat(9) });
  const odd = fc.constantFrom<unknown>(null, '', 'x', -1, 0, 7, 1e18, true, [], {}, ['+14155550190'], NOWHERE, '+1911');
  const number = fc.constantFrom(FROM, '+14155550191', '+12125550101', '+13125550177', '+442079460018');
  const statuses = [
    'QUEUED',
    'BUSY',
    'COMPLETED',
    'FAILED',
    'VOICEMAIL',
    'CANCELED',
    'NO_ANSWER',
    'ACTIVE',
    'RELEASED',
  ];
  const more = [
    'sent',
    'delivered',
    'failed',
    'undelivered',
    'received',
    'approved',
    'rejected',
    'REJECTED',
    'APPROVED',
  ];
  const codes = ['busy', 'no_answer', 'voicemail_reached', 'call_declined', 'carrier_rejected', 'no_consent', null];
  const texts = fc.constantFrom<unknown>('Simulated contact', 'Harbor', 'a@b.example', '2026-02-01T10:00:00Z', null);
  const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    from_number: number,
    to_number: number,
    phone_number: number,
    direction: fc.constantFrom('inbound', 'outbound'),
    status: fc.constantFrom(...statuses, ...more),
    failure_code: fc.constantFrom(...codes),
    failure_category: fc.constantFrom('unreachable', 'voicemail', null),
    disconnection_reason: fc.constantFrom('USER_REJECTED', 'CLIENT_INITIATED', null),
    duration_seconds: fc.constantFrom(0, 4, 30, 61, null),
    outcome: fc.constantFrom('answered', 'busy', 'voicemail', 'failed', 'refused'),
    job_id: pick('jobs'),
    contact_id: pick('contacts'),
    call_id: pick('calls'),
    area_code: fc.constantFrom('415', '212', null),
    registration: fc.constantFrom({ type: 'brand' }, { type: 'campaign' }),
    reasons: fc.constantFrom([], ['No such business.']),
    rejection_reasons: fc.constantFrom([], ['No such business.']),
    texting_enabled_numbers: fc.constantFrom([], [FROM]),
  };
  const fields: Readonly<Record<string, readonly string[]>> = {
    call: ['id', 'from_number', 'to_number', 'direction', 'duration_seconds', 'status', 'failure_code'],
    message: ['id', 'phone_number', 'from_number', 'direction', 'status', 'provider_id', 'error_message'],
    number: ['id', 'phone_number', 'area_code', 'status'],
    contact_created: ['id', 'name', 'phone_number', 'email', 'status', 'metadata'],
    new_appointment: ['id', 'title', 'contact_email', 'start_time', 'end_time', 'timezone', 'status'],
    texting_registration_status_changed: ['registration', 'status', 'reasons', 'texting_enabled_numbers'],
    workflow_contact_completed: ['job_id', 'contact_id', 'phone_number', 'outcome', 'call_id', 'failure_code'],
    'enterprise.status.updated': ['id', 'status', 'legal_name', 'dba', 'rejection_reasons', 'loa_document_id'],
  };
  const kindOf = (type: string): string => {
    if (fields[type]) return type;
    if (type.startsWith('number_')) return 'number';
    return type.startsWith('sms_') || type === 'contact_replied' ? 'message' : 'call';
  };
  const allTypes = [...specTypes, 'enterprise.status.updated', 'phone_call.ended'];

  const step = fc.constantFrom(...allTypes).chain((type) => {
    const kind = kindOf(type);
    const known = (fields[kind] ?? []).map((name) => {
      const usual = name === 'id' ? pick(kind === 'call' ? 'calls' : kind) : (values[name] ?? texts);
      const value = fc.oneof({ arbitrary: usual, weight: 6 }, { arbitrary: odd, weight: 1 });
      return value.map((given) => [name, given] as const);
    });
    const given = fc.array(fc.oneof(...known), { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs));
    return given.map((data) => ({ type, data }));
  });

  const isPick = (value: unknown): value is Pick => typeof value === 'object' && value !== null && 'of' in value;

  /** What a refused step must not change: how many records there are of the kinds that an event can make, and of events. */
  async function counts(client: Client): Promise<unknown[]> {
    const lists = ['calls', 'sms', 'contacts', 'appointments', 'phone-numbers', 'jobs', 'brand/campaigns'];
    const totals = lists.map(async (list) => (await client.get(`/v1/${list}?page_size=1`)).body.meta.total_results);
    const others = ['/v1/brand', ENTERPRISE].map(async (path) => (await client.get(path)).text);
    const events = client.get('/_sandbox/events?page_size=1').then(({ body }) => body.meta.total_results);
    return Promise.all([...totals, ...others, events]);
  }

  it('is sent about records that show it, or refused with nothing changed', async () => {
    const seen = { sent: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 8 }), async (steps) => {
        const { client, world } = freshWorld(sandbox);
        const calls = [await client.call('+12125550101'), await client.call('+12125550100')];
        await world.clock.advance('3s');
        calls.push(await client.call('+12125550103'));
        const placed = await Promise.all(calls.map((id) => client.readCall(id)));
        const contacts: Body[] = (await client.get('/v1/contacts')).body.data;
        const known: Record<string, unknown[]> = {
          calls: [...calls],
          contacts: contacts.map(({ id }) => id),
          number: [4190, 4194],
        };
        const resolved = (value: unknown): unknown => {
          if (!isPick(value)) return value;
          const all = known[value.of] ?? [];
          return all[value.n % Math.max(1, all.length)] ?? NOWHERE;
        };
        let before = await counts(client);
        for (const { type, data: planned } of steps) {
          const data = Object.fromEntries(Object.entries(planned).map(([name, value]) => [name, resolved(value)]));
          const answer = await fireWith(client, type, data);
          const said = `${type} ${JSON.stringify(data)}: ${answer.text}`;
          if (answer.status !== 201) {
            expect([400, 404, 409], said).toContain(answer.status);
            expect(await counts(client), said).toEqual(before);
            seen.refused++;
            continue;
          }
          seen.sent++;
          const { payload, schema_violations } = answer.body.data;
          expect(schema_violations, said).toEqual([]);
          const shown = type.startsWith('number_') ? payload.payload : payload;
          const { start_time: _, end_time: _e, ...exact } = data;
          expect(shown, said).toMatchObject(exact);
          // The sub-entity's records are read with its own key.
          const single = ['texting_registration_status_changed', 'enterprise.status.updated'].includes(type);
          const isNamed = single || ['id', 'phone_number', 'job_id', 'call_id'].some((name) => name in data);
          if (shown.id !== 4194) await expectShown(client, type, payload, isNamed);
          for (const [kind, id] of Object.entries({
            [kindOf(type)]: shown.id,
            jobs: shown.job_id,
            calls: shown.call_id,
          })) {
            if (id) known[kind === 'call' ? 'calls' : kind] = [...(known[kind === 'call' ? 'calls' : kind] ?? []), id];
          }
          before = await counts(client);
        }
        // Existing calls have not changed.
        expect(await Promise.all(calls.map((id) => client.readCall(id)))).toEqual(placed);
      }),
      { numRuns: runs(3, 250) },
    );
    expect(seen.sent).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  });
});
