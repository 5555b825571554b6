// Keywords in texts that come in (assumption texting_keywords): STOP and its siblings opt a person out of texts from the
// one number that they were sent to, START opts in again, HELP is answered. What the platform says to them are messages
// like others, which live by a bundled scenario: one of the world's own could answer them, and so on without an end.
import { assumed } from '../../assumptions/catalogue.ts';
import { timestamp } from '../../clock/clock.ts';
import { allocateId, create, type PlayedScenario } from '../../engine/create.ts';
import { messageLifecycle, newMessage, type Text } from '../../lifecycles/message.ts';
import { optOutId, type TextingKeyword, textingKeyword } from '../../lifecycles/opt-out.ts';
import type { Row } from '../../model.ts';
import type { WorldScenarios } from '../../scenarios/library.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import type { Tx } from '../../store/store.ts';

/** What the platform answers, in the name of the business. */
const answers: Record<TextingKeyword, (business: string) => string> = {
  stop: (business) =>
    `${business}: You are unsubscribed and will get no more texts from this number. Reply START to get them again.`,
  start: (business) =>
    `${business}: You will get texts from this number again. Reply HELP for help, STOP to unsubscribe.`,
  help: (business) =>
    `${business}: Reply STOP to get no more texts from this number, START to get them again. Message and data rates may apply.`,
};

/** Does what a message that came in says, where that is a keyword. */
export function heedKeyword(tx: Tx, message: Row<'messages'>, scenarios: WorldScenarios): void {
  const keyword = areHeeded(tx) ? textingKeyword(message.body) : undefined;
  if (!keyword) return;
  const { from_number: person, phone_number: own } = message;
  const { organization_id } = message.private;
  const isOut = hasOptedOut(tx, organization_id, own, person);
  // Whoever is out may get one more text, which they have had; whoever is in knows nothing of a subscription.
  if ((keyword === 'stop' && isOut) || (keyword === 'start' && !isOut)) return;
  if (keyword === 'stop') {
    const hidden = { organization_id, rank: tx.ordinal('records') };
    tx.put('opt_outs', { id: optOutId(own, person), created_at: message.created_at, private: hidden });
  }
  if (keyword === 'start') tx.remove('opt_outs', optOutId(own, person));
  const business = tx.get('organizations', organization_id)?.name as string;
  const text: Text = { organization_id, from_number: own, to_number: person, body: answers[keyword](business) };
  const answer = newMessage('outbound', text, allocateId(tx, 'messages'), timestamp(tx.at));
  create(tx, messageLifecycle, answer, bundled(scenarios, 'sms_delivered'));
}

/** What a message lives by whose recipient has opted out of texts from that number, else undefined. */
export function blockOf(tx: Tx, text: Text, scenarios: WorldScenarios): PlayedScenario | undefined {
  const isOut = hasOptedOut(tx, text.organization_id, text.from_number, text.to_number);
  return isOut && areHeeded(tx) ? bundled(scenarios, 'sms_opted_out') : undefined;
}

/** A number may have been another organization's before: what was said to that one does not count. */
function hasOptedOut(tx: Tx, organization: string, own: string, person: string): boolean {
  return tx.get('opt_outs', optOutId(own, person))?.private.organization_id === organization;
}

const areHeeded = (tx: Tx): boolean => assumed(tx.state('assumptions'), 'texting_keywords') === 'on';

function bundled(scenarios: WorldScenarios, name: string): PlayedScenario {
  return { scenario: scenarios.bundled(name) as Scenario, choice: { parameters: {} } };
}
