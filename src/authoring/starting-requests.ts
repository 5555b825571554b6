// The requests that start a scenario of each kind, in a new world of the `default` fixture.

export interface StartingRequest {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Start extends StartingRequest {
  /** The requests before it, after each of which the world runs until it is idle. */
  readonly first?: readonly StartingRequest[];
  /** The id of the record that plays the scenario, by the body of the answer. */
  idIn(body: Answered): unknown;
}

/** The fields that show the id of a record, among others. */
export interface Answered {
  readonly call_id?: unknown;
  readonly data?: Readonly<Record<string, unknown>>;
}

const FROM = '+14155550190';
/** No magic number. */
const TO = '+12125550147';
/** The id of FROM. */
const FROM_ID = '4190';

const dataId = ({ data }: Answered): unknown => data?.id;
const post = (path: string, body: StartingRequest['body']): StartingRequest => ({ method: 'POST', path, body });

const business = { legal_name: 'Harbor Street Dental, Inc.', ein: '12-3456789' };
const draft = post('/v1/caller-trust/enterprise', business);
const submit = post('/v1/caller-trust/enterprise/sign-and-submit', {
  signer_full_name: 'Robin Ashdown',
  signer_email: 'robin@harborstreet.example',
  signer_title: 'Owner',
  consent_acknowledged_at: '2026-01-05T14:59:00Z',
  confirm_carrier_commit: 'I understand this submits to the carrier',
});

const displayIdentity = { display_name: 'Harbor Street Dental', call_reasons: ['Appointment reminder'] };
const licence = {
  filename: 'licence.pdf',
  content_type: 'application/pdf',
  content_base64: Buffer.from('hello').toString('base64'),
};

/** By kind; `agentId` is that of an agent of the world. */
export const starts: Readonly<Record<string, (agentId: string) => Start>> = {
  call: () => ({
    ...post('/v1/calls/dial', { from_number: FROM, to_number: TO }),
    idIn: ({ call_id }) => call_id,
  }),
  caller_id: () => ({
    ...post('/v1/caller-ids', { phone_number: '+14155550186' }),
    idIn: ({ data }) => data?.caller_id_id,
  }),
  phone_number: () => ({ ...post('/v1/phone-numbers', { area_code: '212' }), idIn: dataId }),
  cnam: () => ({
    method: 'PUT',
    path: `/v1/phone-numbers/${FROM_ID}/cnam`,
    body: { cnam_display_name: 'HARBOR ONE' },
    idIn: () => FROM_ID,
  }),
  texting_registration: () => ({ ...post('/v1/brand', business), idIn: dataId }),
  sms: () => ({ ...post('/v1/sms/send', { from_number: FROM, to_number: TO, body: 'Hello' }), idIn: dataId }),
  document: () => ({
    ...post('/v1/caller-trust/documents', licence),
    idIn: ({ data }) => data?.document_id,
  }),
  enterprise: () => ({ ...submit, first: [draft], idIn: dataId }),
  remediation: () => ({
    ...post('/v1/caller-trust/reputation/remediations', { phone_numbers: [FROM] }),
    first: [draft, submit],
    idIn: ({ data }) => data?.request_id,
  }),
  display_identity: () => ({
    ...post('/v1/caller-trust/display-identities', displayIdentity),
    first: [draft, submit],
    idIn: dataId,
  }),
  job: (agentId) => ({ ...post('/v1/jobs', { agent_id: agentId, to_numbers: ['+12125550101'] }), idIn: dataId }),
};
