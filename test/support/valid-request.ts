// A request that succeeds, for every operation of the contract: the body is the contract's example, the id in the path
// that of the first record of the same collection, or of a record that the POST of the collection creates. The table
// below has what an operation needs beyond that.
import { approve, DETAILS, draft } from './caller-trust.ts';
import { type Answer, type Client, FROM } from './client.ts';
import { type ContractOperation, operations } from './operations.ts';
import { agentsOf, SECRET } from './outbound.ts';
import { approveBrand } from './texting.ts';

export interface ValidRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Headers in place of an API key. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Needs {
  /** Brings the world into the state in which the operation succeeds. */
  readonly before?: (by: Client) => Promise<unknown>;
  /** The id in the path, if the first record of the collection does not fit the operation. */
  readonly id?: (by: Client) => Promise<string>;
  /** The part of the path that is not an id, of something that exists in every world. */
  readonly token?: (by: Client) => Promise<string>;
  /** The body, if the contract's example does not fit. */
  readonly body?: object | ((by: Client) => Promise<object>);
  readonly headers?: Readonly<Record<string, string>>;
}

/** The clock of a client's world by its control API, which approvals need. */
const worldOf = (by: Client): never =>
  ({ clock: { advance: (step: string) => by.post('/_sandbox/clock/advance', { by: step }) } }) as never;
const approveIn = (by: Client): Promise<unknown> => approve(by, worldOf(by));
const approveBrandIn = (by: Client): Promise<unknown> => approveBrand(by, worldOf(by));

/** Not the contract's example, which a test may change the enterprise to. */
const draftIn = (by: Client): Promise<unknown> => draft(by, DETAILS);

/** The contract's example with an agent that exists. */
const withAgent =
  (id: string) =>
  async (by: Client): Promise<object> => ({ ...operationOf(id).example, agent_id: (await agentsOf(by))[0] });

async function pausedJob(by: Client): Promise<string> {
  const id = await createdBy(by, 'createJob');
  await by.post(`/v1/jobs/${id}/pause`);
  return id;
}

const needs: Readonly<Record<string, Needs>> = {
  deleteCallerId: { id: (by) => createdBy(by, 'createCallerId') },
  verifyCallerId: { id: (by) => createdBy(by, 'createCallerId') },
  hangupCall: { id: (by) => by.call('+12125550100') },
  getCallTranscript: { id: (by) => firstOf(by, '/v1/calls', (call) => call.has_transcript === true) },
  deleteWebhookSubscription: { id: (by) => createdBy(by, 'createWebhookSubscription') },
  getEnterprise: { before: draftIn },
  updateEnterprise: { before: draftIn },
  generateLoa: { before: draftIn },
  submitEnterprise: { before: draftIn },
  signAndSubmitEnterprise: { before: draftIn },
  createRemediation: { before: approveIn, body: { phone_numbers: [FROM] } },
  createDisplayIdentity: { before: approveIn },
  createCall: { body: withAgent('createCall') },
  createJob: { body: withAgent('createJob') },
  getJob: { id: (by) => createdBy(by, 'createJob') },
  pauseJob: { id: (by) => createdBy(by, 'createJob') },
  resumeJob: { id: pausedJob },
  cancelJob: { id: (by) => createdBy(by, 'createJob') },
  createRoomToken: { body: withAgent('createRoomToken') },
  // A key grants only scopes that it has, which may be the scope of this operation alone.
  createClientToken: { body: { scopes: ['tokens:mint'] } },
  createLead: {
    token: async (by) => (await by.get('/_sandbox/lead-sources')).body.data[0].url_token,
    headers: SECRET,
  },
  listMessages: { before: (by) => createdBy(by, 'sendMessage') },
  getMessage: { id: (by) => createdBy(by, 'sendMessage') },
  getBrand: { before: (by) => createdBy(by, 'createBrand') },
  createBrandCampaign: {
    before: approveBrandIn,
    body: { use_case: 'customer_care', phone_numbers: ['+14155550193'] },
  },
};

export function operationOf(id: string): ContractOperation {
  const found = operations.find((each) => each.id === id);
  if (!found) throw new Error(`the contract has no operation ${id}`);
  return found;
}

/** Prepares the client's world for an operation and returns the request. */
export async function validRequest(operation: ContractOperation, by: Client): Promise<ValidRequest> {
  const { id, method, template } = operation;
  await needs[id]?.before?.(by);
  const path = template.includes('{') ? await validPath(operation, by) : template;
  return { method, path, ...(await bodyOf(operation, by)), headers: ownHeaders(operation) };
}

/** The headers of an operation in place of an API key. */
export const ownHeaders = ({ id }: ContractOperation): Readonly<Record<string, string>> => needs[id]?.headers ?? {};

/** Whether an operation succeeds only in a state that `validRequest` prepares. */
export const needsPreparation = ({ id }: ContractOperation): boolean =>
  needs[id]?.before !== undefined || needs[id]?.id !== undefined;

/** The path with the id of an existing record. */
export async function validPath({ id, template }: ContractOperation, by: Client): Promise<string> {
  const collection = template.slice(0, template.indexOf('/{'));
  const found = needs[id]?.id?.(by) ?? needs[id]?.token?.(by) ?? idUnder(by, collection);
  return template.replace(/\{\w+\}/, encodeURIComponent(await found));
}

async function bodyOf({ id, takesBody, example }: ContractOperation, by: Client): Promise<{ body?: object }> {
  if (!takesBody) return {};
  const own = needs[id]?.body;
  const body = typeof own === 'function' ? await own(by) : (own ?? example);
  if (!body) throw new Error(`the body of ${id} has an example neither in the contract nor in ${import.meta.url}`);
  return { body };
}

/** Fields that exclude each other. */
const alternatives: Readonly<Record<string, string>> = { contact_ids: 'to_numbers', to_numbers: 'contact_ids' };

/** A body with another value of a field, and without the field that it excludes. */
export function withField(body: object | undefined, name: string, value: unknown): object {
  const kept = Object.entries(body ?? {}).filter(([each]) => each !== alternatives[name]);
  return { ...Object.fromEntries(kept), [name]: value };
}

async function idUnder(by: Client, collection: string): Promise<string> {
  const at = (method: string) => operations.find((each) => each.method === method && each.template === collection);
  const known = at('GET') && (await firstOf(by, collection).catch(() => undefined));
  if (known !== undefined) return known;
  const post = at('POST');
  if (!post) throw new Error(`${collection} is empty, and no operation creates a record in it`);
  return createdBy(by, post.id);
}

async function createdBy(by: Client, id: string): Promise<string> {
  const answer = await send(by, await validRequest(operationOf(id), by));
  if (answer.status >= 300) throw new Error(`${id} failed: ${answer.text}`);
  return idIn(answer.body.data ?? answer.body);
}

async function firstOf(by: Client, path: string, fits = (_: Answer['body']): boolean => true): Promise<string> {
  const found = (await by.get(path)).body.data.find(fits);
  if (!found) throw new Error(`${path} has no record that fits`);
  return idIn(found);
}

/** The id of a record: `id`, or the first field that ends in `_id` (`caller_id_id`, `document_id`, `request_id`). */
function idIn(record: Readonly<Record<string, unknown>>): string {
  const name = ['id', ...Object.keys(record)].find((each) => each in record && /(^|_)id$/.test(each));
  return String(record[name as string]);
}

/** Sends a request with a client's key. */
export function send(by: Client, { method, path, body, headers: own }: ValidRequest, more = {}): Promise<Answer> {
  const headers = { ...own, ...more };
  switch (method) {
    case 'GET':
      return by.get(path, headers);
    case 'DELETE':
      return by.delete(path, headers);
    case 'PUT':
      return by.put(path, body, headers);
    case 'PATCH':
      return by.patch(path, body, headers);
    default:
      return by.post(path, body, headers);
  }
}

/**
 * Everything that a request can change, as the world shows it once everything due has run: every GET without an id,
 * events, deliveries and scheduled tasks. On stopped clocks, equal worlds have equal snapshots.
 */
export async function worldSnapshot(by: Client): Promise<unknown> {
  await by.post('/_sandbox/clock/advance', { by: '0s' });
  const answers = await by.getAll([...reads, EVENTS, DELIVERIES, '/_sandbox/clock']);
  const shown = answers.slice(0, reads.length).map(({ status, body, text }, index) => {
    // A 404 quotes the address of this server.
    return [reads[index], status, status < 400 ? text : body.error.code];
  });
  const [events, deliveries, clock] = answers.slice(reads.length).map(({ body }) => body.data);
  return [
    ...shown,
    ...events.map(({ event_type, body }: Answer['body']) => [event_type, body]),
    ...deliveries.map(({ event_type, status }: Answer['body']) => [event_type, status]),
    clock.pending,
  ];
}

const EVENTS = '/_sandbox/events?page_size=1000';
const DELIVERIES = '/_sandbox/deliveries?page_size=1000';
const reads = operations
  .filter(({ method, template }) => method === 'GET' && !template.includes('{'))
  .map(({ template }) => template);
