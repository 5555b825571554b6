// Answers of the routes of worlds, keys, lead sources, caller IDs, subscriptions and health.
import { z } from 'zod';
import { weekdays } from '../../model.ts';
import { planForm } from '../../webhooks/plan-form.ts';
import { count, instant, nullableInstant, resource } from './fields.ts';

const organization_id = z.uuid().describe('The organization that it belongs to.');

export const Readiness = z
  .strictObject({
    status: z.enum(['ok', 'ready', 'not_ready']).describe('`ok` for health; `ready` or `not_ready` for readiness.'),
    version: z.string().describe('The version of the server.'),
    uptime_seconds: count.describe('Since the server was started.'),
  })
  .describe('Whether the server is ready.');

const MemoryShare = z
  .strictObject({
    limit_bytes: count.describe('How much of it there is.'),
    used_bytes: count.describe('How much of it is used, by estimate.'),
    dropped: count.describe('The things that were deleted before their time to make room.'),
    refused: count.describe('The requests, connections and deliveries that were refused for lack of room.'),
  })
  .describe('A share of the memory budget.');

export const Health = z
  .strictObject({
    ...Readiness.shape,
    store: z
      .strictObject({
        kind: z.enum(['memory', 'redis']).describe('Where it is (`--store`).'),
        replica: z
          .string()
          .nullable()
          .describe('The name of this process among those that share it; null where none does.'),
        runs: count
          .nullable()
          .describe('How many worlds this process does the timed tasks and deliveries of; null where no other could.'),
        problem: z.string().nullable().describe('Why it cannot be used now; null if it can.'),
        warning: z.string().optional().describe('What endangers what it has; absent if nothing does.'),
      })
      .describe('The store of all worlds.'),
    log_lines_dropped: count.describe(
      'The lines that the log could not write: its output was full, closed or not read.',
    ),
    memory: z
      .strictObject({
        limit_bytes: count.describe('The budget (`--memory`).'),
        shares: z
          .strictObject({
            journals: MemoryShare,
            records: MemoryShare,
            deliveries: MemoryShare,
            documents: MemoryShare,
            connections: MemoryShare,
          })
          .describe('What it is for, by kind.'),
      })
      .describe('The memory budget.'),
  })
  .describe('That the server is alive, and what it has used of its memory.');

export const World = z
  .strictObject({
    name: z.string().describe('Its name.'),
    organization_id: z.uuid().describe("The world's organization."),
    origin: z.enum(['bundled', 'posted', 'auto']).describe('How it was made; only `auto` worlds expire.'),
    fixture: z.string().describe('The fixture that it was made from.'),
    clock: z
      .string()
      .describe('The mode of its clock, such as `manual` or `20x`; `unknown` if the world cannot be read.'),
    problem: z.string().optional().describe('Why it cannot be read; absent if it can.'),
  })
  .describe('A world.');

export const CreatedWorld = z
  .strictObject({
    name: z.string().describe('Its name.'),
    organization_id: z.uuid().describe("The world's organization."),
    api_key: z.string().describe('A key of the world, with the default scopes.'),
    signing_secret: z.string().describe('What its webhooks are signed with.'),
    control_key: z
      .string()
      .optional()
      .describe('Controls this world alone; only where the server has a control token, and shown only here.'),
  })
  .describe('A world that has just been made.');

const scopes = z.array(resource('Scope')).describe('What the key may do.');

export const Key = z
  .strictObject({
    id: z.string().describe('The id of the key.'),
    scopes,
    is_demo: z.boolean().describe('Whether it is a demo key.'),
    requests_per_minute: z.int().min(1).describe('Its rate limit.'),
    revoked: z.boolean().describe('Whether requests with it are 401.'),
    created_at: instant,
    organization_id,
  })
  .describe('An API key, without its plaintext.');

export const CreatedKey = z
  .strictObject({
    id: z.string().describe('The id of the key.'),
    api_key: z.string().describe('The plaintext, which is shown only here.'),
    scopes,
  })
  .describe('An API key that has just been made.');

export const LeadSource = z
  .strictObject({
    id: z.string().describe('The id of the source.'),
    name: z.string().describe('Its name.'),
    url_token: z.string().describe('The token in the path of `POST /v1/leads/{url_token}`.'),
    source_secret: z.string().describe('The secret for the header `X-Source-Secret`.'),
    organization_id,
    created_at: instant,
    rotated_at: nullableInstant,
  })
  .describe('A source of leads.');

const numbers = z.array(z.string());

export const CallingRules = z
  .strictObject({
    do_not_call: numbers.describe('Numbers on a do-not-call list.'),
    opted_out: numbers.describe('Numbers whose owners have opted out.'),
    no_consent: numbers.describe('Numbers whose owners have not agreed to calls.'),
    paused: numbers.describe('Numbers of contacts whose automation is paused.'),
    calls_per_day: z.int().min(1).nullable().describe('The most calls to one number in a day; null for no limit.'),
    days: z.array(z.enum(weekdays)).describe('The weekdays on which calls are allowed.'),
    from: z.string().describe('When calls become allowed, such as `08:00:00`, in the time of the destination.'),
    until: z.string().describe('The last second at which calls are allowed.'),
    time_zone: z.string().describe('The time zone of destinations whose location is unknown.'),
  })
  .describe('Whom a world may call, and when.');

export const VerificationCode = z
  .strictObject({
    verification_code: z.string().describe('What the latest verification call has spoken.'),
  })
  .describe('The code of a caller ID.');

export const DeliveryPlan = planForm;

export const SignedSubscription = z
  .strictObject({
    id: z.string().describe('The id of the subscription.'),
    webhook_url: z.string().describe('Where its deliveries are sent.'),
    event_type: resource('EventType').describe('The events that it gets.'),
    workflow_id: z.string().optional().describe('As it was subscribed.'),
    campaign_id: z.string().optional().describe('The job that it is narrowed to.'),
    signing_secret: z.string().nullable().describe('What its deliveries are signed with; null if they are not.'),
    plan: DeliveryPlan.nullable().describe('How its deliveries are sent; null if the plan of the world applies.'),
  })
  .describe('A webhook subscription with its signing secret and its plan.');

export const SignedSubscriptionList = z
  .strictObject({ subscriptions: z.array(SignedSubscription).describe('One for each type, in their order.') })
  .describe('Subscriptions of one address.');
