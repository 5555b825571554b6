// What each type of scheduled task does.
import type { TaskHandlers } from '../engine/run-task.ts';
import { fire } from '../engine/transition.ts';
import { goOnCanceling } from '../webhooks/cancel-deliveries.ts';
import { goOnFollowing, sendDelivery } from '../webhooks/held-deliveries.ts';
import { tick } from '../webhooks/ticks.ts';
import { assessRemediation } from './caller-trust/assess-remediation.ts';
import { callNextContact } from './jobs/dialling.ts';
import { receiveReply } from './texting/messages.ts';

export const taskHandlers: TaskHandlers = {
  fire,
  call_next_contact: callNextContact,
  receive_reply: receiveReply,
  assess_remediation: assessRemediation,
  send_delivery: sendDelivery,
  follow_plans: goOnFollowing,
  cancel_deliveries: goOnCanceling,
  tick,
};
