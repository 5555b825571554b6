// Routes that simulate the outside world: someone calls or texts, a contact is created, an appointment is booked. Every
// field has a default. New records belong to the world's organization, or to the sub-entity that the body names.
import { z } from 'zod';
import { INBOUND_DEFAULT, simulateInboundCall } from '../admin/simulate/inbound-call.ts';
import { simulateInboundSms } from '../admin/simulate/inbound-sms.ts';
import { simulateNewAppointment } from '../admin/simulate/new-appointment.ts';
import { simulateNewContact } from '../admin/simulate/new-contact.ts';
import { e164Form } from '../e164.ts';
import { MAX_TEXT_LENGTH } from '../lifecycles/message.ts';
import { durationField, instantField } from './fields.ts';
import { defineRoute } from './route.ts';

const HALF_AN_HOUR_MS = 30 * 60_000;

const number = z.string().regex(e164Form, { error: 'must be a number in E.164 form, such as +14155550170' });
const id = (noun: string) => z.uuid({ error: `must be the id of ${noun}, a UUID` });
const email = z.email({ error: 'must be an email address' }).nullable();
const text = z.string().max(65_536);
const timeZone = z.string().refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC', {
  error: 'must be an IANA time zone, such as America/New_York',
});
const organization_id = id('an organization').optional();

export const simulateRoutes = [
  defineRoute({
    method: 'post',
    path: '/simulate/inbound-call',
    summary: 'Call a number of this world; its agent answers',
    body: z.strictObject({
      to_number: number.optional().describe("A number of this world; the agent's by default"),
      from_number: number.optional(),
      agent_id: id('an agent').optional().describe('The agent that answers; that of the called number by default'),
      scenario: z
        .string()
        .optional()
        .describe(
          `Such as \`no_answer\` or \`${INBOUND_DEFAULT};talk=5m\`; else X-Sandbox-Scenario, else ${INBOUND_DEFAULT}`,
        ),
    }),
    async handle({ sandbox, world, body, controls }) {
      return { status: 201, data: await simulateInboundCall(sandbox, world, body, controls.scenario) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/simulate/inbound-sms',
    summary: 'Text a number of this world, or reply to a message',
    body: z.strictObject({
      in_reply_to: id('a message').optional().describe('A message to reply to: its numbers, swapped, are the defaults'),
      to_number: number.optional().describe('A number of this world; by default the first that receives texts'),
      from_number: number.optional(),
      body: z.string().min(1).max(MAX_TEXT_LENGTH).default('Hello, is anyone there?'),
    }),
    handle: async ({ sandbox, world, body }) => ({ status: 201, data: await simulateInboundSms(sandbox, world, body) }),
  }),
  defineRoute({
    method: 'post',
    path: '/simulate/new-contact',
    summary: 'Create a contact',
    body: z.strictObject({
      name: text.nullable().default('Simulated contact'),
      phone_number: number.nullable().optional(),
      email: email.default(null),
      status: text.default('active'),
      source: text.default('simulated'),
      metadata: z.record(z.string(), z.unknown()).nullable().default(null),
      organization_id,
    }),
    handle: async ({ sandbox, world, body }) => ({ status: 201, data: await simulateNewContact(sandbox, world, body) }),
  }),
  defineRoute({
    method: 'post',
    path: '/simulate/new-appointment',
    summary: 'Book an appointment',
    body: z.strictObject({
      title: text.nullable().default('Simulated appointment'),
      description: text.nullable().default(null),
      contact_id: id('a contact')
        .optional()
        .describe('Who booked; the newest contact if neither this nor a name is given'),
      contact_name: text.nullable().optional(),
      contact_email: email.optional(),
      start_time: instantField.optional().describe('By default a day from now, at the next full hour'),
      end_time: instantField.optional(),
      lasts: durationField.default(HALF_AN_HOUR_MS).describe('The duration, if end_time is not given'),
      timezone: timeZone.default('America/Los_Angeles'),
      status: text.default('confirmed'),
      event_type: text.default('appointment'),
      scheduling_option: text.default('phone'),
      notes: text.nullable().default(null),
      organization_id,
    }),
    async handle({ sandbox, world, body }) {
      return { status: 201, data: await simulateNewAppointment(sandbox, world, body) };
    },
  }),
];
