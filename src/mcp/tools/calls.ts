// Tools that cause something: a dial, an inbound call or message, an event, a fault.
import { z } from 'zod';
import type { ControlClient } from '../../client/control-client.ts';
import { defineTool, type Tool } from '../tool.ts';

const scenario = z
  .string()
  .optional()
  .describe('What happens, such as `busy` or `answered;talk=90s`; otherwise the magic number or the default decides.');

/** What to do next, which depends on the clock. */
export async function nextStep(control: ControlClient): Promise<string> {
  const { mode } = await control.call('getClock');
  if (mode === 'manual') return 'The clock stands: advance_clock with until `idle` runs it to its end.';
  return mode === 'instant' ? 'It has run to its end.' : 'It goes on in real time; advance_clock runs it at once.';
}

/** A verified number of the bundled fixtures. Looking for one would be a request of its own in the journal of the tests. */
const FROM = '+14155550190';

export const callTools: readonly Tool[] = [
  defineTool({
    name: 'dial',
    title: 'Place a call',
    description:
      'POST /v1/calls/dial. The scenario, the magic number (+1 212 555 0101 is busy, …02 does not answer) or the default decides what happens.',
    reads: false,
    input: {
      to_number: z.string().default('+12125550199').describe('Whom to call, in E.164 form.'),
      from_number: z
        .string()
        .default(FROM)
        .describe('A verified caller ID of the world; the default is that of every bundled fixture.'),
      scenario,
    },
    async run(session, { scenario, world, ...body }) {
      const headers = scenario === undefined ? {} : { 'X-Sandbox-Scenario': scenario };
      const call = await session.platform(world).call('dialCall', { body, headers });
      return { ...call, ...body, next: await nextStep(session.control(world)) };
    },
  }),
  defineTool({
    name: 'simulate_inbound_call',
    title: 'Simulate an inbound call',
    description: 'Someone calls a number of the world; its agent answers.',
    reads: false,
    input: {
      to_number: z.string().optional().describe('The number that is called; one with an inbound agent by default.'),
      from_number: z.string().optional().describe('Who calls.'),
      scenario,
    },
    async run(session, { world, ...body }) {
      const control = session.control(world);
      const call = await control.call('simulateInboundCall', { body });
      return { ...call, next: await nextStep(control) };
    },
  }),
  defineTool({
    name: 'simulate_inbound_sms',
    title: 'Simulate an inbound SMS',
    description: 'Someone texts a number of the world, or replies to a message.',
    reads: false,
    input: {
      body: z.string().optional().describe('What it says.'),
      to_number: z.string().optional().describe('The number that it is sent to.'),
      from_number: z.string().optional().describe('Who sends it.'),
      in_reply_to: z.string().optional().describe('The id of the message that it replies to.'),
    },
    run: (session, { world, ...body }) => session.control(world).call('simulateInboundSms', { body }),
  }),
  defineTool({
    name: 'set_fault',
    title: 'Make requests fail',
    description:
      'Makes requests to the platform fail as a provider would: with an error, a gateway answer, or a broken connection.',
    reads: false,
    input: {
      operation: z.string().optional().describe('The id of the operation, such as `dialCall`; every one by default.'),
      error: z.string().optional().describe('An error code to answer with, such as `provider_api_error`.'),
      status: z.int().min(400).max(599).optional().describe('A status to answer with, as a gateway would.'),
      fault: z
        .enum(['reset', 'empty', 'truncate', 'timeout'])
        .optional()
        .describe('How the connection breaks, after the request has taken effect.'),
      times: z.int().min(1).optional().describe('How often; until it is cleared by default.'),
    },
    run(session, { world, status, ...fault }) {
      const respond = status === undefined ? {} : { respond: { status } };
      // The server checks which of them exclude each other.
      const body = { ...fault, ...respond } as never;
      return session.control(world).call('setFaults', { body });
    },
  }),
  defineTool({
    name: 'clear_faults',
    title: 'Let requests succeed again',
    description: 'Deletes all faults of the world.',
    reads: false,
    input: {},
    async run(session, { world }) {
      await session.control(world).call('clearFaults');
      return 'No fault is set.';
    },
  }),
];
