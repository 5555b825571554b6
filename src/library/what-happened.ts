// Explains, for the failures of matchers, why a world has no delivery of an event type: what has happened in it, who
// subscribes, and whether its clock stands still.
import type { SandboxWorld } from './handle.ts';
import type { EventType, SandboxEvent } from './types.ts';

/** How many lines a part has. */
const MOST_NAMED = 5;

type Unheard = SandboxEvent['unheard'][number];

const because: { readonly [Reason in Unheard]: string } = {
  none_of_that_type: 'no subscription has that type',
  other_organization: 'the subscriptions of that type belong to another organization',
  other_campaign: 'the subscriptions of that type are for another campaign',
};

/** With the timeline of what comes nearest: the event, or else the latest one. */
export async function whatHappened(world: SandboxWorld, type: EventType): Promise<string> {
  const [events, subscriptions, clock] = await Promise.all([
    world.events(),
    world.control.page('listSubscriptions', { query: { page_size: MOST_NAMED } }),
    world.control.call('getClock'),
  ]);
  const nearest = events.findLast(({ event_type }) => event_type === type) ?? events.at(-1);
  const stands = clock.mode === 'manual' && clock.pending > 0;
  const lines = [
    happened(events, type),
    listed('Subscriptions', subscriptions, ({ event_type, webhook_url }) => `${event_type} to ${webhook_url}`),
    stands ? `The clock is stopped at ${clock.now} with ${clock.pending} pending: advance it.` : '',
  ].filter((text) => text !== '');
  return `${lines.join('\n')}${await timelineOf(world, nearest?.subject?.id ?? nearest?.id)}`;
}

function happened(events: readonly SandboxEvent[], type: EventType): string {
  const ofType = events.findLast(({ event_type }) => event_type === type);
  if (ofType) {
    const reasons = ofType.unheard.map((reason) => because[reason]);
    return `It happened, but was not delivered${reasons.length > 0 ? `: ${reasons.join(', ')}` : ''}.`;
  }
  const types = new Set(events.map(({ event_type }) => event_type));
  return types.size === 0 ? 'Nothing has happened.' : `Only these events have happened: ${[...types].join(', ')}.`;
}

function listed<Item>(
  title: string,
  { data, meta }: { readonly data: readonly Item[]; readonly meta: { readonly total_results: number } },
  lineOf: (item: Item) => string,
): string {
  if (data.length === 0) return `${title}: none.`;
  const more = meta.total_results - data.length;
  return [`${title}:`, ...data.map((item) => `  ${lineOf(item)}`), ...(more > 0 ? [`  and ${more} more`] : [])].join(
    '\n',
  );
}

/** The timeline as text; nothing if there is none, such as for entries that were dropped. */
export async function timelineOf(world: SandboxWorld, subject_id: string | undefined): Promise<string> {
  if (subject_id === undefined) return '';
  const query = { subject_id, format: 'text' } as const;
  return world.control.text('getTimeline', { query }).then(
    (text) => `\n\n${text}`,
    () => '',
  );
}
