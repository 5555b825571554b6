// The causes of all events but those of calls: a request, and the events that follow. `spec.md` "Events"; the assumptions
// event_payloads and enterprise_events.
import { expect } from 'vitest';
import type { EventType } from '../../src/events/catalogue.ts';
import type { SandboxWorld } from '../../src/index.ts';
import { dataOf, draft, ENTERPRISE, sign, submit } from '../support/caller-trust.ts';
import { type Client, FROM, playing } from '../support/client.ts';
import { LEAD, submitLead } from '../support/outbound.ts';
import {
  activeNumber,
  approveBrand,
  NUMBERS,
  registerBrand,
  registerCampaign,
  SOMEONE,
  text,
} from '../support/texting.ts';

export interface Scene {
  readonly url: string;
  readonly client: Client;
  readonly world: SandboxWorld;
}

export interface Cause {
  /** Makes it happen; the clock then runs until nothing is pending. */
  readonly act: (scene: Scene) => Promise<unknown>;
  /** The events that follow, in order, each with the fields that are specific to this cause. */
  readonly events: readonly (readonly [EventType, object])[];
}

const sent = ['sms_sent', { direction: 'outbound', status: 'sent', error_message: null }] as const;
const delivered = ['sms_delivered', { direction: 'outbound', status: 'delivered', error_message: null }] as const;
const replied = ['contact_replied', { direction: 'inbound', status: 'received', error_message: null }] as const;

function registration(type: 'brand' | 'campaign', status: string, ...texting_enabled_numbers: string[]) {
  const fields = {
    registration: expect.objectContaining({ type }),
    status,
    reasons: status === 'rejected' ? [expect.any(String)] : [],
    texting_enabled_numbers,
  };
  return ['texting_registration_status_changed', fields] as const;
}

const vetted = (status: string, ...rejection_reasons: unknown[]) =>
  ['enterprise.status.updated', { status, rejection_reasons }] as const;
const rejected = vetted('REJECTED', expect.any(String), expect.any(String));
const approved = vetted('APPROVED');

/** A number that can be ordered. */
const NEW = '+12125550150';

/** Causes of all events other than those of calls. */
export const recordCauses: Readonly<Record<string, Cause>> = {
  'a delivered text': {
    act: async ({ client }) => dataOf(await text(client), 202),
    events: [sent, delivered],
  },
  'a failed text': {
    act: async ({ client }) => dataOf(await text(client, {}, playing('sms_failed')), 202),
    events: [sent, ['sms_failed', { status: 'failed', error_message: 'The handset could not be reached.' }]],
  },
  'a text with a reply': {
    act: async ({ client }) => dataOf(await text(client, {}, playing('sms_reply')), 202),
    events: [sent, delivered, [replied[0], { ...replied[1], from_number: SOMEONE, phone_number: FROM }]],
  },
  'an inbound text': {
    act: async ({ client }) => dataOf(await client.post('/_sandbox/simulate/inbound-sms', {}), 201),
    events: [replied],
  },
  'a lead': {
    act: async ({ url, world }) =>
      dataOf(await submitLead(url, { ...LEAD, email: 'lena@mail.example' }, `/v1/leads/lead_${world.name}`), 201),
    events: [['contact_created', { ...LEAD, source: 'lead' }]],
  },
  'a simulated contact': {
    act: async ({ client }) => dataOf(await client.post('/_sandbox/simulate/new-contact', {}), 201),
    events: [['contact_created', { source: 'simulated' }]],
  },
  'a booking': {
    async act({ client }) {
      const booking = { title: 'Cleaning', contact_name: LEAD.name, contact_email: 'lena@mail.example' };
      dataOf(await client.post('/_sandbox/simulate/new-appointment', booking), 201);
    },
    events: [['new_appointment', { title: 'Cleaning', contact_name: LEAD.name, status: 'confirmed' }]],
  },
  'an ordered number': {
    act: ({ client, world }) => activeNumber(client, world),
    events: [
      [
        'number_purchased',
        {
          triggerEvent: 'number.purchased',
          payload: expect.objectContaining({ area_code: '212', status: 'ACTIVE' }),
        },
      ],
    ],
  },
  'a released number': {
    act: async ({ client }) => dataOf(await client.delete(`${NUMBERS}/4190`)),
    events: [
      [
        'number_released',
        {
          triggerEvent: 'number.released',
          payload: expect.objectContaining({ id: 4190, phone_number: FROM, status: 'RELEASED' }),
        },
      ],
    ],
  },
  'a number that is ordered and released': {
    async act({ client, world }) {
      const { id } = await activeNumber(client, world);
      dataOf(await client.delete(`${NUMBERS}/${id}`));
    },
    events: [
      ['number_purchased', { triggerEvent: 'number.purchased' }],
      ['number_released', { payload: expect.objectContaining({ area_code: '212', status: 'RELEASED' }) }],
    ],
  },
  'a rejected brand': {
    act: async ({ client }) => dataOf(await registerBrand(client, playing('registration_rejected')), 201),
    events: [registration('brand', 'rejected')],
  },
  'an approved brand and campaign for an ordered number': {
    async act({ client, world }) {
      await activeNumber(client, world, { phone_number: NEW });
      await approveBrand(client, world);
      dataOf(await registerCampaign(client, { phone_numbers: [NEW] }), 201);
    },
    events: [
      ['number_purchased', { payload: expect.objectContaining({ phone_number: NEW }) }],
      registration('brand', 'approved'),
      registration('campaign', 'approved', NEW),
    ],
  },
  'a rejected campaign': {
    async act({ client, world }) {
      await approveBrand(client, world);
      dataOf(await registerCampaign(client, {}, playing('registration_rejected')), 201);
    },
    events: [registration('brand', 'approved'), registration('campaign', 'rejected')],
  },
  'an approved enterprise': {
    async act({ client }) {
      dataOf(await draft(client), 201);
      dataOf(await sign(client));
    },
    events: [approved],
  },
  'an enterprise that is rejected, updated and approved': {
    async act({ client, world }) {
      dataOf(await draft(client), 201);
      dataOf(await sign(client, {}, playing('vetting_rejected')));
      await world.clock.advance('40s');
      dataOf(await client.patch(ENTERPRISE, { legal_name: 'Harbor Street Dentistry, Inc.' }));
      dataOf(await submit(client));
    },
    events: [rejected, approved],
  },
};
