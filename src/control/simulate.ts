// The outside world acts: someone calls a number that an agent answers, or texts one, a contact comes, an appointment
// is booked. What
// is made belongs to the organization of the world, or to the sub-entity that is named; everything has a default.
import { z } from 'zod';
import { LATEST_INSTANT, timestamp } from '../clock/clock.ts';
import { disabledAgent } from '../domain/agents/agent-state.ts';
import { placeCall } from '../domain/calls/place-call.ts';
import { addContact } from '../domain/contacts/new-contact.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { integer } from '../identity/seeded.ts';
import { LONGEST_TEXT } from '../lifecycles/message.ts';
import { type Row, type ScenarioReference, wireOf } from '../model.ts';
import { addAppointment } from '../operations/appointments.ts';
import { receiveMessage, serializeMessage, takesTexts } from '../operations/sms.ts';
import { parameterProblem, parseScenarioReference } from '../scenarios/reference.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Tx } from '../store/store.ts';
import { durationField, instantField } from './clock.ts';
import { route } from './route.ts';
import { scenariosOf } from './scenarios.ts';

/** What an inbound call lives by unless another scenario is named. */
const ANSWERED = 'inbound_answered';
const HOUR_MS = 60 * 60_000;

const number = z.string().regex(/^\+[1-9]\d{1,14}$/, { error: 'must be a number in E.164 form, such as +14155550170' });
const id = (noun: string) => z.uuid({ error: `must be the id of ${noun}, a UUID` });
const text = z.string().max(65_536);
const timeZone = z.string().refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC', {
  error: 'must be an IANA time zone such as America/New_York',
});
const organization_id = id('an organization').optional();

export const simulateRoutes = [
  route({
    method: 'post',
    path: '/simulate/inbound-call',
    summary: 'Someone calls a number of this world, and its agent answers',
    body: z.strictObject({
      /** A number of this world; the agent's unless it is given. */
      to_number: number.optional(),
      from_number: number.optional(),
      /** Who answers; the agent of the number that is called unless it is given. */
      agent_id: id('an agent').optional(),
      scenario: z
        .string()
        .describe(`As in \`no_answer\` or \`${ANSWERED};talk=5m\`; else that of X-Sandbox-Scenario, else ${ANSWERED}`)
        .optional(),
    }),
    async handle({ sandbox, world, body, controls }) {
      const lived = await scenarioOf(sandbox, world, body.scenario, controls.scenario);
      const call = await transact(sandbox, world, null, (tx) => {
        const { agent, called } = whoAnswers(tx, body);
        return placeCall(tx, called.private.organization_id, lived, {
          direction: 'inbound',
          from_number: body.from_number ?? someone(tx),
          to_number: called.phone_number,
          number: called,
          agent,
        });
      });
      await runOut(sandbox, world);
      return { status: 201, data: wireOf(call) };
    },
  }),
  route({
    method: 'post',
    path: '/simulate/inbound-sms',
    summary: 'Someone texts a number of this world, or answers a message',
    body: z.strictObject({
      /** The message that is answered: its numbers, the other way round, unless others are given. */
      in_reply_to: id('a message').optional(),
      /** A number of this world; the first that may text unless it is given. */
      to_number: number.optional(),
      from_number: number.optional(),
      body: z.string().min(1).max(LONGEST_TEXT).default('Hello, is anyone there?'),
    }),
    async handle({ sandbox, world, body: { in_reply_to, to_number, from_number, body } }) {
      const scenarios = await scenariosOf(sandbox, world);
      const message = await transact(sandbox, world, null, (tx) => {
        const answered = in_reply_to === undefined ? undefined : tx.get('messages', in_reply_to);
        if (in_reply_to !== undefined && !answered) throw unknown('in_reply_to', 'message', in_reply_to);
        const texted = whoIsTexted(tx, to_number ?? (answered && ownEnd(answered)));
        const text = {
          organization_id: texted.private.organization_id,
          from_number: from_number ?? (answered ? otherEnd(answered) : someone(tx)),
          to_number: texted.phone_number,
          body,
        };
        return receiveMessage(tx, text, scenarios);
      });
      await runOut(sandbox, world);
      return { status: 201, data: serializeMessage(message) };
    },
  }),
  route({
    method: 'post',
    path: '/simulate/new-contact',
    summary: 'A contact comes from outside',
    body: z.strictObject({
      name: text.nullable().default('Simulated contact'),
      phone_number: number.nullable().optional(),
      email: z.email({ error: 'must be an e-mail address' }).nullable().default(null),
      status: text.default('active'),
      source: text.default('simulated'),
      metadata: z.record(z.string(), z.unknown()).nullable().default(null),
      organization_id,
    }),
    handle: ({ sandbox, world, body }) =>
      transact(sandbox, world, null, (tx) => {
        const organization = organizationOf(tx, body.organization_id);
        const phone_number = body.phone_number === undefined ? someone(tx) : body.phone_number;
        return { status: 201, data: wireOf(addContact(tx, organization, { ...body, phone_number })) };
      }),
  }),
  route({
    method: 'post',
    path: '/simulate/new-appointment',
    summary: 'An appointment is booked',
    body: z.strictObject({
      title: text.nullable().default('Simulated appointment'),
      description: text.nullable().default(null),
      /** Who booked; the newest contact unless it or a name is given. */
      contact_id: id('a contact').optional(),
      contact_name: text.nullable().optional(),
      contact_email: z.email({ error: 'must be an e-mail address' }).nullable().optional(),
      /** In a day, at the full hour, unless it is given. */
      start_time: instantField.optional(),
      /** Instead of it, how long it takes. */
      end_time: instantField.optional(),
      lasts: durationField.default(HOUR_MS / 2),
      timezone: timeZone.default('America/Los_Angeles'),
      status: text.default('confirmed'),
      event_type: text.default('appointment'),
      scheduling_option: text.default('phone'),
      notes: text.nullable().default(null),
      organization_id,
    }),
    handle: ({ sandbox, world, body }) =>
      transact(sandbox, world, null, (tx) => {
        const organization = organizationOf(tx, body.organization_id);
        const start = body.start_time ?? Math.ceil(tx.at / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
        const end = body.end_time ?? start + body.lasts;
        if (end <= start) throw invalidField('end_time', 'must be after start_time');
        if (end > LATEST_INSTANT) throw invalidField('end_time', `must not be after ${timestamp(LATEST_INSTANT)}`);
        const booked = {
          ...body,
          ...whoBooked(tx, organization, body),
          start_time: timestamp(start),
          end_time: timestamp(end),
        };
        return { status: 201, data: wireOf(addAppointment(tx, organization, booked)) };
      }),
  }),
];

/**
 * The scenario that the body names, else the control header: of calls, known to this world, and one that lets calls
 * through.
 */
async function scenarioOf(
  sandbox: SandboxContext,
  world: string,
  inBody: string | undefined,
  inHeader: ScenarioReference | null,
) {
  const field = inBody === undefined && inHeader ? 'X-Sandbox-Scenario' : 'scenario';
  const use = inBody === undefined ? (inHeader ?? { name: ANSWERED, parameters: {} }) : parseScenarioReference(inBody);
  if (typeof use === 'string') throw invalidField(field, use);
  const known = await scenariosOf(sandbox, world);
  const fits = (each: Scenario): boolean => each.kind === 'call' && each.timeline.length > 0;
  const scenario = known.get(use.name);
  if (!scenario || !fits(scenario)) {
    const names = known
      .all()
      .filter(fits)
      .map(({ name }) => name);
    const reason = scenario ? `"${use.name}" is no scenario of a call that comes in` : `there is no "${use.name}"`;
    throw invalidField(field, `${reason}; one of ${names.join(', ')}${didYouMean(use.name, names)}`);
  }
  const problem = parameterProblem(scenario, use);
  if (problem) throw invalidField(field, problem);
  return { scenario, choice: { parameters: use.parameters } };
}

interface Answering {
  readonly agent: Row<'agents'>;
  readonly called: Row<'phone_numbers'>;
}

/** The number that is called and the agent that answers it; each follows from the other where one is given. */
function whoAnswers(tx: Tx, body: { to_number?: string | undefined; agent_id?: string | undefined }) {
  const { to_number, agent_id } = body;
  const named = agent_id === undefined ? undefined : tx.get('agents', agent_id);
  if (agent_id !== undefined && !named) throw unknown('agent_id', 'agent', agent_id);
  const answering = named || to_number !== undefined ? pairOf(tx, named, to_number) : firstPair(tx);
  const { agent, called } = answering;
  if (!called.is_active) {
    throw new ApiError('conflict', {
      message: `${called.phone_number} is ${called.private.status}; only a number that is ACTIVE takes calls.`,
      hint: 'Wait for `number_purchased`, or call a number whose `is_active` is true.',
    });
  }
  if (!agent.enabled) throw disabledAgent(agent);
  return answering;
}

function pairOf(tx: Tx, named: Row<'agents'> | undefined, to_number: string | undefined): Answering {
  const wanted = to_number ?? named?.phone_number?.phone_number;
  if (wanted === undefined) {
    throw invalidField('to_number', `is required: the agent ${quote(named?.name)} has no number of its own`);
  }
  const [called] = tx.page('phone_numbers', 'phone_number', wanted, { limit: 1 });
  if (!called) throw unknown('to_number', 'phone number', wanted);
  const agents = agentsOf(tx, called.private.organization_id);
  const agent = named ?? agents.find((each) => each.phone_number?.phone_number === wanted);
  if (!agent) {
    const answered = agents.flatMap((each) => each.phone_number?.phone_number ?? []);
    throw new ApiError('conflict', {
      message: `No agent answers ${wanted}; agents of its organization answer ${answered.join(', ') || 'no number'}.`,
      hint: 'Name the agent that is to answer in agent_id.',
    });
  }
  if (agent.private.organization_id !== called.private.organization_id) {
    throw invalidField('agent_id', `is of another organization than ${wanted}`);
  }
  return { agent, called };
}

/** The first agent of the organization that can take a call: enabled, made for inbound calls where there is one. */
function firstPair(tx: Tx): Answering {
  const agents = agentsOf(tx, tx.world.organization_id).filter(({ enabled }) => enabled);
  const inbound = agents.filter(({ agent_type }) => agent_type === 'inbound');
  for (const agent of [...inbound, ...agents]) {
    const wanted = agent.phone_number?.phone_number;
    const [called] = wanted === undefined ? [] : tx.page('phone_numbers', 'phone_number', wanted, { limit: 1 });
    if (called?.is_active) return { agent, called };
  }
  throw new ApiError('conflict', {
    message: 'No agent of this world is enabled and has an active number; only such a one takes calls.',
    hint: 'Enable an agent with PATCH /v1/agents/{id}, or name to_number and agent_id.',
  });
}

const agentsOf = (tx: Tx, organization: string): Row<'agents'>[] => tx.page('agents', 'organization', organization);

const ownEnd = ({ direction, from_number, phone_number }: Row<'messages'>): string =>
  direction === 'outbound' ? from_number : phone_number;
const otherEnd = ({ direction, from_number, phone_number }: Row<'messages'>): string =>
  direction === 'outbound' ? phone_number : from_number;

/** The number that a text is for; the organization's first that may text unless one is named. */
function whoIsTexted(tx: Tx, wanted: string | undefined): Row<'phone_numbers'> {
  const numbers =
    wanted === undefined
      ? tx.page('phone_numbers', 'organization', tx.world.organization_id)
      : tx.page('phone_numbers', 'phone_number', wanted, { limit: 1 });
  const texted = numbers.find(takesTexts);
  if (texted) return texted;
  const [named] = numbers;
  if (wanted !== undefined && !named) throw unknown('to_number', 'phone number', wanted);
  throw new ApiError('conflict', {
    message:
      wanted === undefined || !named
        ? 'No number of this world is active and enabled to text; only such a one takes messages.'
        : `${wanted} is ${named.private.status}, its texting status ${named.texting_status}; only a number that is ACTIVE and approved takes messages.`,
    hint: 'Take a number of GET /v1/phone-numbers whose `is_active` and `texting_enabled` are true.',
  });
}

interface Booking {
  readonly contact_id?: string | undefined;
  readonly contact_name?: string | null | undefined;
  readonly contact_email?: string | null | undefined;
}

/** Name and e-mail address of who booked, as given, else those of a contact. */
function whoBooked(tx: Tx, organization: string, { contact_id, contact_name, contact_email }: Booking) {
  const contact =
    contact_id !== undefined
      ? tx.get('contacts', contact_id)
      : contact_name === undefined
        ? tx.page('contacts', 'organization', organization, { limit: 1, newestFirst: true })[0]
        : undefined;
  if (contact_id !== undefined && contact?.private.organization_id !== organization) {
    throw unknown('contact_id', 'contact', contact_id);
  }
  return {
    contact_name: contact_name === undefined ? (contact?.name ?? null) : contact_name,
    contact_email: contact_email === undefined ? (contact?.email ?? null) : contact_email,
  };
}

/** The organization that is meant: the world's own, or the one that is named. */
function organizationOf(tx: Tx, named: string | undefined): string {
  const organization = named ?? tx.world.organization_id;
  if (!tx.get('organizations', organization)) throw unknown('organization_id', 'organization', organization);
  return organization;
}

/** Someone who does not exist: 555-0170 to 0189, as in the fixtures. */
function someone(tx: Tx): string {
  const { seed, name } = tx.world;
  return `+1415555${String(integer(170, 189, seed, name, 'someone', tx.ordinal('someone'))).padStart(4, '0')}`;
}

function unknown(field: string, noun: string, value: string): ApiError {
  return new ApiError('not_found', {
    message: `There is no ${noun} ${quote(value)} in this world.`,
    fields: { [field]: `names no ${noun} of this world` },
  });
}

/** On an instant clock what was planned has run when the answer leaves. */
async function runOut(sandbox: SandboxContext, world: string): Promise<void> {
  const { mode } = await sandbox.store.transaction(world, (tx) => tx.state('clock'));
  if (mode === 'instant') await sandbox.scheduler.runUntilIdle(world);
}
