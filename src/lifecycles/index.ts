// All lifecycles by their table: the engine looks up a record's lifecycle here, and scenario and state files are checked
// against them.
import { callLifecycle } from './call.ts';
import { callerIdLifecycle } from './caller-id.ts';
import { cnamLifecycle } from './cnam.ts';
import { displayIdentityLifecycle } from './display-identity.ts';
import { documentLifecycle } from './document.ts';
import { enterpriseLifecycle } from './enterprise.ts';
import { jobLifecycle } from './job.ts';
import { jobContactLifecycle } from './job-contact.ts';
import type { Lifecycle, NamedLifecycle } from './lifecycle.ts';
import { messageLifecycle } from './message.ts';
import { phoneNumberLifecycle } from './phone-number.ts';
import { remediationLifecycle } from './remediation.ts';
import { textingRegistrationLifecycle } from './texting-registration.ts';
import type { LifecycleTable } from './triggers.ts';

export const lifecycles: { readonly [Table in LifecycleTable]: Lifecycle<Table> } = {
  calls: callLifecycle,
  caller_ids: callerIdLifecycle,
  phone_numbers: phoneNumberLifecycle,
  cnam_listings: cnamLifecycle,
  texting_registrations: textingRegistrationLifecycle,
  messages: messageLifecycle,
  documents: documentLifecycle,
  enterprises: enterpriseLifecycle,
  remediations: remediationLifecycle,
  display_identities: displayIdentityLifecycle,
  jobs: jobLifecycle,
  job_contacts: jobContactLifecycle,
};

/** The same, for names that come from files. */
export const namedLifecycles: ReadonlyMap<string, NamedLifecycle> = new Map(Object.entries(lifecycles));

const byKind = new Map<string, NamedLifecycle>();
for (const lifecycle of namedLifecycles.values()) if (lifecycle.kind !== null) byKind.set(lifecycle.kind, lifecycle);

/** The kinds that scenarios can have. */
export const scenarioKinds: readonly string[] = [...byKind.keys()];

/** The lifecycle that scenarios of this kind play. */
export function lifecycleOfKind(kind: string): NamedLifecycle | undefined {
  return byKind.get(kind);
}
