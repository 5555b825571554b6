// The library: sandboxes in the same process, handles of sandboxes elsewhere, and tools for webhook receivers.
// `interface.md` section 8.
import { createControlClient } from './client/control-client.ts';
import type { SandboxOptions } from './config.ts';
import type { Schemas } from './contract/document.ts';
import type { EventType, events } from './events/catalogue.ts';
import { openInProcess } from './in-process.ts';
import { sandboxHandle } from './library/connect.ts';
import type { Sandbox } from './library/handle.ts';

export type { ControlClient, ControlOperationId } from './client/control-client.ts';
export { SandboxError, type SandboxErrorCode } from './client/sandbox-error.ts';
export type { StreamMessage, StreamOptions, StreamType } from './client/stream.ts';
export type { SandboxOptions } from './config.ts';
export type { Schemas } from './contract/document.ts';
export type { EventType } from './events/catalogue.ts';
export type { AnswerScript } from './library/answer-script.ts';
export type { ReceivedWebhook, WebhookMatch } from './library/arrivals.ts';
export { type ConnectOptions, connectSandbox } from './library/connect.ts';
export type { Sandbox, SandboxClock, SandboxKeys, SandboxSimulate, SandboxWorld, Snapshot } from './library/handle.ts';
export { createReceiver, type Receiver, type ReceiverOptions } from './library/receiver.ts';
export type * from './library/types.ts';
export { destinationFor } from './scenarios/destination-for.ts';
export { magicNumbers } from './scenarios/numbers.ts';
export { verifySignature } from './webhooks/sign.ts';

/** The platform's resources, by the names of the contract's components. A list has shorter items for some. */
export type Account = Schemas['Account'];
export type Agent = Schemas['Agent'];
export type AgentListItem = Schemas['AgentListItem'];
export type Appointment = Schemas['Appointment'];
export type AvailablePhoneNumber = Schemas['AvailablePhoneNumber'];
export type BrowserCallSession = Schemas['BrowserCallSession'];
export type Call = Schemas['Call'];
export type CallListItem = Schemas['CallListItem'];
export type CallerId = Schemas['CallerId'];
export type ClientToken = Schemas['ClientToken'];
export type Contact = Schemas['Contact'];
export type DialAccepted = Schemas['DialAccepted'];
export type DisplayIdentity = Schemas['DisplayIdentity'];
export type Document = Schemas['Document'];
export type Enterprise = Schemas['Enterprise'];
export type HangupResult = Schemas['HangupResult'];
export type Job = Schemas['Job'];
export type Me = Schemas['Me'];
export type Message = Schemas['Message'];
export type PhoneNumber = Schemas['PhoneNumber'];
export type Remediation = Schemas['Remediation'];
export type ReputationNumber = Schemas['ReputationNumber'];
export type SubEntity = Schemas['SubEntity'];
export type TextingBrand = Schemas['TextingBrand'];
export type TextingCampaign = Schemas['TextingCampaign'];
export type CallTranscript = Schemas['CallTranscript'];
export type Usage = Schemas['Usage'];
export type VerificationResult = Schemas['VerificationResult'];
export type WebhookSubscription = Schemas['WebhookSubscription'];
export type WebrtcToken = Schemas['WebrtcToken'];
/** The `meta` of a list, without and with a total. */
export type PageMeta = Schemas['PageMeta'];
export type CountedPageMeta = Schemas['CountedPageMeta'];
export type ErrorEnvelope = Schemas['ErrorEnvelope'];

/** Webhook payloads by shape and by event type; some payloads are a resource, such as `Contact`. */
export type CallEvent = Schemas['CallEvent'];
/** The form of some events if a world assumes `enveloped` for `event_payloads`. */
export type EnvelopedEvent = Schemas['EnvelopedEvent'];
export type MessageEvent = Schemas['MessageEvent'];
export type NumberLifecycleEvent = Schemas['NumberLifecycleEvent'];
export type TextingRegistrationEvent = Schemas['TextingRegistrationEvent'];
export type WorkflowContactEvent = Schemas['WorkflowContactEvent'];
/** The body of an event type: `EventPayload<'call_busy'>`. */
export type EventPayload<Type extends EventType = EventType> = Schemas[(typeof events)[Type]['schema']];

/**
 * Starts a sandbox on a free port, and returns the handle of its world `default`. Options are the settings of the command
 * line in camel case. Rejects with a one-line message if an option is unknown or malformed, or a file is broken.
 *
 * @example
 * const sandbox = await createSandbox({ clock: 'manual', seed: 7 });
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { url, apiKey, token, close } = await openInProcess(options);
  const control = createControlClient({ url, token });
  return sandboxHandle(control, { name: 'default', apiKey }, token !== undefined, async () => {
    control.close();
    await close();
  });
}
