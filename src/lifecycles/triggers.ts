// Every table with a lifecycle on one page: the statuses of its records, its triggers, and what each trigger takes
// (`spec.md` "States and transitions"). Types only: the tables of transitions are checked against them.
import type { FailureCode } from '../errors/catalogue.ts';
import type { JobContact, PhoneNumberStatus, Row } from '../model.ts';
import type { Outcome as RemediationOutcome } from './remediation-outcomes.ts';

/** For a trigger that takes no input. */
export type NoInput = Readonly<Record<string, never>>;

export type CallOutcome = NonNullable<Row<'calls'>['call_outcome']>;

/** `disconnection_reason` replaces the default one of that end. */
interface CallEnd {
  readonly disconnection_reason?: string | undefined;
}

/** `error_message` replaces the default one of that end. */
interface MessageFailure {
  readonly error_message?: string | undefined;
}

interface Rejection {
  readonly reasons: string[];
}

export interface Triggers {
  calls: {
    ring: NoInput;
    answer: NoInput;
    complete: CallEnd;
    busy: CallEnd;
    no_answer: CallEnd;
    voicemail: CallEnd;
    decline: CallEnd;
    unreachable: CallEnd;
    reject: CallEnd;
    hangup: NoInput;
  };
  messages: {
    send: NoInput;
    deliver: NoInput;
    undeliver: MessageFailure;
    fail: MessageFailure;
    reply: { readonly text: string };
  };
  jobs: { start: NoInput; pause: NoInput; resume: NoInput; cancel: NoInput; complete: NoInput };
  job_contacts: {
    call: { readonly call_id: string };
    finish: { readonly outcome: CallOutcome; readonly failure_code: FailureCode | null };
    refuse: { readonly outcome: 'refused'; readonly failure_code: string };
    /** `refusals`: how often calls to this contact were refused so far; it is tried again. */
    defer: { readonly refusals: number };
    due: NoInput;
  };
  /** `flag` and `recover` change what carriers think of the number. */
  phone_numbers: {
    activate: NoInput;
    flag: { readonly spam_risk?: 'medium' | 'high' | undefined };
    recover: NoInput;
    release: NoInput;
  };
  cnam_listings: { submit: { readonly display_name: string }; approve: NoInput; reject: NoInput };
  caller_ids: { speak_code: NoInput; verify: NoInput; certify: NoInput; revoke: NoInput; restart: NoInput };
  texting_registrations: {
    approve: NoInput;
    reject: Rejection;
    /** Of a brand; a campaign is not submitted again. */
    submit: { readonly legal_name: string; readonly ein: string };
  };
  enterprises: {
    /** `findings`: what the carrier will find wrong with it. */
    submit: {
      readonly carrier_enterprise_id: string;
      readonly loa_document_id: string;
      readonly findings?: readonly string[];
    };
    /** Approves or rejects, by the findings. */
    review: NoInput;
    approve: NoInput;
    reject: Rejection;
  };
  documents: { clean: NoInput; infected: NoInput };
  remediations: {
    start: NoInput;
    /** The numbers take the outcomes in turn. */
    complete: { readonly outcomes: RemediationOutcome[] };
    /** Completes it with the outcomes that the reputation of the numbers gives them. */
    assess: NoInput;
    fail: NoInput;
    cancel: NoInput;
  };
  display_identities: { approve: NoInput; reject: Rejection };
}

interface Statuses {
  calls: Row<'calls'>['status'];
  messages: Row<'messages'>['status'];
  jobs: Row<'jobs'>['status'];
  job_contacts: JobContact['status'];
  phone_numbers: PhoneNumberStatus;
  cnam_listings: Row<'cnam_listings'>['status'];
  caller_ids: Row<'caller_ids'>['status'];
  texting_registrations: Row<'texting_registrations'>['status'];
  enterprises: Row<'enterprises'>['status'];
  documents: Row<'documents'>['status'];
  remediations: Row<'remediations'>['status'];
  display_identities: Row<'display_identities'>['status'];
}

export type LifecycleTable = keyof Triggers;
export type StatusOf<Table extends LifecycleTable> = Statuses[Table];
export type TriggerOf<Table extends LifecycleTable> = keyof Triggers[Table] & string;
export type InputOf<Table extends LifecycleTable, Trigger extends TriggerOf<Table>> = Triggers[Table][Trigger];
