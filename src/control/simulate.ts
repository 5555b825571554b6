// Routes that simulate the outside world: someone calls or texts, a contact is created, an appointment is booked. Every
// field has a default. New records belong to the organization of the key, or to the one that the body names.
import { z } from 'zod';
import { INBOUND_DEFAULT, simulateInboundCall } from '../admin/simulate/inbound-call.ts';
import { simulateInboundSms } from '../admin/simulate/inbound-sms.ts';
import { simulateNewAppointment } from '../admin/simulate/new-appointment.ts';
import { simulateNewContact } from '../admin/simulate/new-contact.ts';
import { e164Form } from '../e164.ts';
import { MAX_TEXT_LENGTH } from '../lifecycles/message.ts';
import { durationField, instantField } from './fields.ts';
import { created, defineRoute } from './route.ts';

const number = z.string().regex(e164Form, { error: 'must be a number in E.164 form, such as +14155550170' });
const id = (noun: string) => z.uuid({ error: `must be the id of ${noun}, a UUID` }).toLowerCase();
const email = z.email({ error: 'must be an email address' }).nullable();
const text = z.string().max(65_536);
const timeZone = z.string().refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC', {
  error: 'must be an IANA time zone, such as America/New_York',
});
const organization_id = id('an organization')
  .optional()
  .describe("The world's organization or one of its sub-entities; by default that of the API key.");

export const simulateRoutes = [
  defineRoute({
    id: 'simulateInboundCall',
    method: 'post',
    path: '/simulate/inbound-call',
    summary: 'Simulate an inbound call',
    description: 'Someone calls a number of this world; its agent answers.',
    headers: ['X-Sandbox-Scenario'],
    errors: ['not_found', 'conflict'],
    body: z
      .strictObject({
        to_number: number
          .optional()
          .describe("A number of this world; by default the agent's, or that of an agent of the key's organization."),
        from_number: number.optional().describe('Who calls; a fictional number by default.'),
        agent_id: id('an agent').optional().describe('The agent that answers; that of the called number by default.'),
        scenario: z
          .string()
          .optional()
          .describe(
            `Such as \`no_answer\` or \`${INBOUND_DEFAULT};talk=5m\`; else X-Sandbox-Scenario, else ${INBOUND_DEFAULT}.`,
          ),
      })
      .describe('Who calls whom, and how the call goes.'),
    answer: created('Call'),
    async handle({ sandbox, world, organization, body, controls }) {
      return { data: await simulateInboundCall(sandbox, world, body, controls.scenario, { organization }) };
    },
  }),
  defineRoute({
    id: 'simulateInboundSms',
    method: 'post',
    path: '/simulate/inbound-sms',
    summary: 'Simulate an inbound SMS',
    description: 'Someone texts a number of this world, or replies to a message.',
    errors: ['not_found', 'conflict'],
    body: z
      .strictObject({
        in_reply_to: id('a message')
          .optional()
          .describe('A message to reply to: its numbers, swapped, are the defaults.'),
        to_number: number
          .optional()
          .describe("A number of this world; by default the first of the key's organization that receives texts."),
        from_number: number.optional().describe('Who texts; a fictional number by default.'),
        body: z.string().min(1).max(MAX_TEXT_LENGTH).default('Hello, is anyone there?').describe('The text.'),
      })
      .describe('Who texts whom, and what.'),
    answer: created('Message'),
    async handle({ sandbox, world, organization, body }) {
      return { data: await simulateInboundSms(sandbox, world, body, { organization }) };
    },
  }),
  defineRoute({
    id: 'simulateNewContact',
    method: 'post',
    path: '/simulate/new-contact',
    summary: 'Create a contact',
    description: 'As if another system had created it.',
    errors: ['not_found'],
    body: z
      .strictObject({
        name: text.nullable().default('Simulated contact').describe('The name.'),
        phone_number: number.nullable().optional().describe('A fictional number by default; null for none.'),
        email: email.default(null).describe('The email address.'),
        status: text.default('active').describe('The status.'),
        source: text.default('simulated').describe('Where the contact comes from.'),
        metadata: z
          .record(z.string(), z.unknown())
          .nullable()
          .default(null)
          .describe('Anything else about the contact.'),
        organization_id,
      })
      .describe('The fields of the contact.'),
    answer: created('Contact'),
    async handle({ sandbox, world, organization, body }) {
      return { data: await simulateNewContact(sandbox, world, body, { organization }) };
    },
  }),
  defineRoute({
    id: 'simulateNewAppointment',
    method: 'post',
    path: '/simulate/new-appointment',
    summary: 'Book an appointment',
    description: 'As if a caller or an agent had booked it.',
    errors: ['not_found'],
    body: z
      .strictObject({
        title: text.nullable().default('Simulated appointment').describe('The title.'),
        description: text.nullable().default(null).describe('The description.'),
        contact_id: id('a contact')
          .optional()
          .describe('Who booked; the newest contact if neither this nor a name is given.'),
        contact_name: text.nullable().optional().describe("The contact's name by default."),
        contact_email: email.optional().describe("The contact's email address by default."),
        start_time: instantField.optional().describe('By default a day from now, at the next full hour.'),
        end_time: instantField.optional().describe('By default `lasts` after the start.'),
        lasts: durationField.prefault('30m').describe('The duration, if end_time is not given; 30m by default.'),
        timezone: timeZone.default('America/Los_Angeles').describe('An IANA time zone.'),
        status: text.default('confirmed').describe('The status.'),
        event_type: text.default('appointment').describe('What kind of appointment it is.'),
        scheduling_option: text.default('phone').describe('How it takes place.'),
        notes: text.nullable().default(null).describe('Notes.'),
        organization_id,
      })
      .describe('The fields of the appointment.'),
    answer: created('Appointment'),
    async handle({ sandbox, world, organization, body }) {
      return { data: await simulateNewAppointment(sandbox, world, body, { organization }) };
    },
  }),
];
