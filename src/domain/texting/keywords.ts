// Keywords in inbound texts (assumption texting_keywords): STOP and its synonyms opt a person out of texts from the one
// number that they texted, START opts in again, HELP is answered. The platform's automatic replies are ordinary messages,
// but play a bundled scenario: a scenario of the world could reply to them, and so on without end.
import { assumed } from '../../assumptions/catalogue.ts';
import { timestamp } from '../../clock/clock.ts';
import { allocateId, create } from '../../engine/create.ts';
import { ownedBy } from '../../engine/records.ts';
import { type MessageContent, messageLifecycle, newMessage } from '../../lifecycles/message.ts';
import { optOutId, type Row } from '../../model.ts';
import type { WorldScenarios } from '../../scenarios/library.ts';
import { fixedSelection, type ScenarioSelection } from '../../scenarios/select.ts';
import type { Tx } from '../../store/store.ts';
import { type TextingKeyword, textingKeyword } from '../../texting-keywords.ts';

/** The platform's automatic replies, in the name of the business. */
const automaticReplies: Record<TextingKeyword, (business: string) => string> = {
  stop: (business) =>
    `${business}: You are unsubscribed and will get no more texts from this number. Reply START to get them again.`,
  start: (business) =>
    `${business}: You will get texts from this number again. Reply HELP for help, STOP to unsubscribe.`,
  help: (business) =>
    `${business}: Reply STOP to get no more texts from this number, START to get them again. Message and data rates may apply.`,
};

/** Applies the keyword of an inbound message, if its body is one. */
export function applyKeyword(tx: Tx, message: Row<'messages'>, scenarios: WorldScenarios): void {
  const keyword = keywordsApply(tx) ? textingKeyword(message.body) : undefined;
  const organization = tx.get('organizations', message.private.organization_id);
  if (!keyword || !organization) return;
  const { from_number: person, phone_number: own } = message;
  const { organization_id } = message.private;
  const isOut = hasOptedOut(tx, organization_id, own, person);
  // Opting out is confirmed once; opting in without having opted out gets no reply.
  if ((keyword === 'stop' && isOut) || (keyword === 'start' && !isOut)) return;
  if (keyword === 'stop') {
    const owned = ownedBy(tx, message.private);
    tx.put('opt_outs', { id: optOutId(own, person), created_at: message.created_at, private: owned });
  }
  if (keyword === 'start') tx.remove('opt_outs', optOutId(own, person));
  const body = automaticReplies[keyword](organization.name);
  const content: MessageContent = { organization_id, from_number: own, to_number: person, body };
  const reply = newMessage('outbound', content, allocateId(tx, 'messages'), timestamp(tx.at));
  create(tx, messageLifecycle, reply, bundled(scenarios, 'sms_delivered'));
}

/** The scenario of a message whose recipient has opted out of texts from that number; undefined for any other. */
export function optOutSelection(
  tx: Tx,
  content: MessageContent,
  scenarios: WorldScenarios,
): ScenarioSelection | undefined {
  const isOut = hasOptedOut(tx, content.organization_id, content.from_number, content.to_number);
  return isOut && keywordsApply(tx) ? bundled(scenarios, 'sms_opted_out') : undefined;
}

/** An opt-out of a number's former organization does not count. */
function hasOptedOut(tx: Tx, organization: string, own: string, person: string): boolean {
  return tx.get('opt_outs', optOutId(own, person))?.private.organization_id === organization;
}

const keywordsApply = (tx: Tx): boolean => assumed(tx.state('assumptions'), 'texting_keywords') === 'on';

function bundled(scenarios: WorldScenarios, name: string): ScenarioSelection {
  const scenario = scenarios.bundled(name);
  if (!scenario) throw new Error(`the bundled scenario ${name} is missing`);
  return fixedSelection(scenario);
}
