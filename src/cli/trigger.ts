// `ringback trigger`: emits an event by hand.
import type { Command } from 'commander';
import { didYouMean } from '../errors/did-you-mean.ts';
import { eventTypes } from '../events/catalogue.ts';
import { WrongUse } from '../wrong-use.ts';
import { type ServerFlags, withServer } from './connect.ts';
import { ArgumentOfKnown } from './known-values.ts';
import { counted, fieldList, print, printJson } from './output.ts';

interface Flags extends ServerFlags {
  readonly data?: readonly string[];
}

export function define(command: Command): void {
  command
    .addArgument(new ArgumentOfKnown('<event>', 'the type of the event, such as call_busy', eventTypes))
    .option(
      '--data <field=value>',
      'what its body must have, such as id=…; may be repeated, or one JSON object',
      collect,
    )
    .addHelpText(
      'after',
      `
A value that is JSON is taken as such (5, true, null, "5"), any other as text. Fields that are left out follow from a
record to which the event has happened, or from one that is made for it.

Event types: ${eventTypes.join(', ')}

Examples:
  ringback trigger call_busy
  ringback trigger contact_created --data name='Lena Marlowe' --data phone_number=+14155550179`,
    );
  withServer<Flags>(command, async (control, { data = [], json }, [type = '']) => {
    const event_type = eventTypes.find((each) => each === type);
    if (!event_type) {
      throw new WrongUse(
        `"${type}" is not an event type; must be one of ${eventTypes.join(', ')}${didYouMean(type, eventTypes)}`,
      );
    }
    const event = await control.call('emitEvent', { body: { event_type, data: fieldsOf(data) } });
    if (json) return printJson(event);
    const { subject, deliveries } = event;
    print(
      fieldList([
        ['event', `${event.event_type} ${event.id}`],
        ['about', subject ? `${subject.table} ${subject.id}` : 'nothing'],
        ['at', event.created_at],
        ['deliveries', deliveries > 0 ? counted(deliveries, 'subscription') : `none: ${whyNone(event.unheard)}`],
        ['body', event.body],
      ]),
    );
  });
}

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

const reasons: Readonly<Record<string, string>> = {
  none_of_that_type: 'no subscription has this type; `ringback listen` relays it all the same',
  other_organization: 'the subscriptions of this type belong to another organization',
  other_campaign: 'the subscriptions to this type are for another campaign',
};

const whyNone = (unheard: readonly string[]): string => unheard.map((reason) => reasons[reason] ?? reason).join('; ');

/** Fields of `--data`, in the order in which they were given. */
function fieldsOf(texts: readonly string[]): Record<string, unknown> {
  return Object.assign({}, ...texts.map((text) => (text.trimStart().startsWith('{') ? objectOf(text) : fieldOf(text))));
}

function objectOf(text: string): object {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUse(`--data: is not valid JSON (${String(error instanceof Error ? error.message : error)})`);
  }
}

function fieldOf(text: string): object {
  const at = text.indexOf('=');
  if (at < 1) throw new WrongUse(`--data: ${JSON.stringify(text)} is not valid; must be field=value, or a JSON object`);
  return { [text.slice(0, at)]: jsonOrText(text.slice(at + 1)) };
}

/** Whole numbers that JavaScript cannot hold stay text, as phone numbers without a plus would. */
function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' && String(value) !== text ? text : value;
  } catch {
    return text;
  }
}
