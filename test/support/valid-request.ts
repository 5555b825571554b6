// For every operation of the contract a request that succeeds, made from the contract: the body is its example, the id
// in the path that of the first record in the list of the same noun, or of one that is made by the POST beside it. What
// more an operation needs stands in the table below; an operation that needs no more takes no row.
import { approve, DETAILS, draft } from './caller-trust.ts';
import { type Answer, type Client, FROM } from './client.ts';
import { type ContractOperation, operations } from './operations.ts';
import { agentsOf, SECRET } from './outbound.ts';
import { approveBrand } from './texting.ts';

export interface ValidRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** What it carries in the place of an API key. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface More {
  /** Brings the world into the state in which the operation succeeds. */
  readonly before?: (by: Client) => Promise<unknown>;
  /** The id in the path, where the first record of the list is not one that shows what the operation does. */
  readonly id?: (by: Client) => Promise<string>;
  /** What stands in the path and is no id, of something that is there in every world. */
  readonly standing?: (by: Client) => Promise<string>;
  /** The body, where the contract's example cannot be it. */
  readonly body?: object | ((by: Client) => Promise<object>);
  readonly headers?: Readonly<Record<string, string>>;
}

/** The world of a client, whichever it is, as far as a way to an approval needs it: through the control API. */
const worldOf = (by: Client): never =>
  ({ clock: { advance: (step: string) => by.post('/_sandbox/clock/advance', { by: step }) } }) as never;
const approveIn = (by: Client): Promise<unknown> => approve(by, worldOf(by));
const approveBrandIn = (by: Client): Promise<unknown> => approveBrand(by, worldOf(by));

/** Another than the example, which is the name that a fixture's enterprise may be mended to. */
const draftIn = (by: Client): Promise<unknown> => draft(by, DETAILS);

/** The contract's example with an agent that is there. */
const byAnAgent =
  (id: string) =>
  async (by: Client): Promise<object> => ({ ...operationOf(id).example, agent_id: (await agentsOf(by))[0] });

async function pausedJob(by: Client): Promise<string> {
  const id = await made(by, 'createJob');
  await by.post(`/v1/jobs/${id}/pause`);
  return id;
}

const more: Readonly<Record<string, More>> = {
  deleteCallerId: { id: (by) => made(by, 'createCallerId') },
  verifyCallerId: { id: (by) => made(by, 'createCallerId') },
  hangupCall: { id: (by) => by.call('+12125550100') },
  getCallTranscript: { id: (by) => firstOf(by, '/v1/calls', (call) => call.has_transcript === true) },
  deleteWebhookSubscription: { id: (by) => made(by, 'createWebhookSubscription') },
  getEnterprise: { before: draftIn },
  updateEnterprise: { before: draftIn },
  generateLoa: { before: draftIn },
  submitEnterprise: { before: draftIn },
  signAndSubmitEnterprise: { before: draftIn },
  createRemediation: { before: approveIn, body: { phone_numbers: [FROM] } },
  createDisplayIdentity: { before: approveIn },
  createCall: { body: byAnAgent('createCall') },
  createJob: { body: byAnAgent('createJob') },
  getJob: { id: (by) => made(by, 'createJob') },
  pauseJob: { id: (by) => made(by, 'createJob') },
  resumeJob: { id: pausedJob },
  cancelJob: { id: (by) => made(by, 'createJob') },
  createRoomToken: { body: byAnAgent('createRoomToken') },
  // Nobody hands on more than they have, which may be the operation's own scope alone.
  createClientToken: { body: { scopes: ['tokens:mint'] } },
  createLead: {
    standing: async (by) => (await by.get('/_sandbox/lead-sources')).body.data[0].url_token,
    headers: SECRET,
  },
  listMessages: { before: (by) => made(by, 'sendMessage') },
  getMessage: { id: (by) => made(by, 'sendMessage') },
  getBrand: { before: (by) => made(by, 'createBrand') },
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

/** Prepares the client's world and answers the request; what a preparation makes there is part of it. */
export async function validRequest(operation: ContractOperation, by: Client): Promise<ValidRequest> {
  const { id, method, template } = operation;
  await more[id]?.before?.(by);
  const path = template.includes('{') ? await validPath(operation, by) : template;
  return { method, path, ...(await bodyOf(operation, by)), headers: ownHeaders(operation) };
}

/** What a request of this operation carries in the place of an API key. */
export const ownHeaders = ({ id }: ContractOperation): Readonly<Record<string, string>> => more[id]?.headers ?? {};

/** Whether an operation succeeds only in a state that `validRequest` brings about. */
export const needsPreparation = ({ id }: ContractOperation): boolean =>
  more[id]?.before !== undefined || more[id]?.id !== undefined;

/** The path with the id of an object that is there. */
export async function validPath({ id, template }: ContractOperation, by: Client): Promise<string> {
  const collection = template.slice(0, template.indexOf('/{'));
  const found = more[id]?.id?.(by) ?? more[id]?.standing?.(by) ?? idUnder(by, collection);
  return template.replace(/\{\w+\}/, encodeURIComponent(await found));
}

async function bodyOf({ id, takesBody, example }: ContractOperation, by: Client): Promise<{ body?: object }> {
  if (!takesBody) return {};
  const own = more[id]?.body;
  const body = typeof own === 'function' ? await own(by) : (own ?? example);
  if (!body) throw new Error(`the body of ${id} has no example in the contract, nor one in ${import.meta.url}`);
  return { body };
}

/** Fields of which a body has one or the other. */
const alternatives: Readonly<Record<string, string>> = { contact_ids: 'to_numbers', to_numbers: 'contact_ids' };

/** A body with another value of a field, and without what that field stands in place of. */
export function withField(body: object | undefined, name: string, value: unknown): object {
  const kept = Object.entries(body ?? {}).filter(([each]) => each !== alternatives[name]);
  return { ...Object.fromEntries(kept), [name]: value };
}

async function idUnder(by: Client, collection: string): Promise<string> {
  const at = (method: string) => operations.find((each) => each.method === method && each.template === collection);
  const known = at('GET') && (await firstOf(by, collection).catch(() => undefined));
  if (known !== undefined) return known;
  const post = at('POST');
  if (!post) throw new Error(`${collection} is empty, and nothing POSTs to it`);
  return made(by, post.id);
}

async function made(by: Client, id: string): Promise<string> {
  const answer = await send(by, await validRequest(operationOf(id), by));
  if (answer.status >= 300) throw new Error(`${id} has failed: ${answer.text}`);
  return idIn(answer.body.data ?? answer.body);
}

async function firstOf(by: Client, path: string, fits = (_: Answer['body']): boolean => true): Promise<string> {
  const found = (await by.get(path)).body.data.find(fits);
  if (!found) throw new Error(`${path} has nothing that fits`);
  return idIn(found);
}

/** The id of a record: `id`, or the first field that ends so (`caller_id_id`, `document_id`, `request_id`). */
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
 * Everything that a request could have changed, as the world shows it: what every GET without an id answers, events,
 * deliveries and what is still to come. Equal worlds on standing clocks show equal texts.
 */
export async function worldSnapshot(by: Client): Promise<unknown> {
  const reads = operations.filter(({ method, template }) => method === 'GET' && !template.includes('{'));
  const shown = await Promise.all(
    reads.map(async ({ template }) => {
      const { status, body } = await by.get(template);
      // A 404 quotes the address of this server.
      return [template, status, status < 400 ? body : body.error.code];
    }),
  );
  const events = (await by.get('/_sandbox/events?page_size=1000')).body.data;
  const deliveries = (await by.get('/_sandbox/deliveries?page_size=1000')).body.data;
  return [
    ...shown,
    ...events.map(({ event_type, body }: Answer['body']) => [event_type, body]),
    ...deliveries.map(({ event_type, status }: Answer['body']) => [event_type, status]),
    (await by.get('/_sandbox/clock')).body.data.pending,
  ];
}
