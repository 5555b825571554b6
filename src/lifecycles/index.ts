// All lifecycles: what the engine looks a record's table up in, and what scenario files are checked against.
import type { TableName } from '../model.ts';
import { callLifecycle } from './call.ts';
import { callerIdLifecycle } from './caller-id.ts';
import { cnamLifecycle } from './cnam.ts';
import { displayIdentityLifecycle } from './display-identity.ts';
import { documentLifecycle } from './document.ts';
import { enterpriseLifecycle } from './enterprise.ts';
import type { Lifecycle } from './lifecycle.ts';
import { messageLifecycle } from './message.ts';
import { phoneNumberLifecycle } from './phone-number.ts';
import { remediationLifecycle } from './remediation.ts';
import { textingRegistrationLifecycle } from './texting-registration.ts';

export const lifecycles = [
  callLifecycle,
  callerIdLifecycle,
  phoneNumberLifecycle,
  cnamLifecycle,
  textingRegistrationLifecycle,
  messageLifecycle,
  documentLifecycle,
  enterpriseLifecycle,
  remediationLifecycle,
  displayIdentityLifecycle,
] as unknown as readonly Lifecycle[];

export function lifecycleOfKind(kind: string): Lifecycle | undefined {
  return lifecycles.find((lifecycle) => lifecycle.kind === kind);
}

export function lifecycleOf(table: TableName): Lifecycle | undefined {
  return lifecycles.find((lifecycle) => lifecycle.table === table);
}
