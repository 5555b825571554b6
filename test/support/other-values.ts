// How answers differ from the contract where a world sets an assumption to another value. The contract describes the
// defaults; an answer of such a world is brought into its default form, and checked in that.
import type { SettableName } from '../../src/assumptions/catalogue.ts';
import type { Node } from '../../src/contract/nodes.ts';
import type { CheckedAnswer } from './contract.ts';

type Value = string | number | null;

/** The values that the tests of a file have set, by world. */
const valuesOf = new Map<string, Readonly<Record<string, Value>>>();

/** Notes that a world of this test file has these values. The client notes those that it sends. */
export function noteValues(world: string, values: Readonly<Record<string, Value>>): void {
  valuesOf.set(world, { ...valuesOf.get(world), ...values });
}

/** Remembers the values of a world when a snapshot is made; the function that it returns puts them back with it. */
export function keepValues(world: string): () => void {
  const kept = valuesOf.get(world) ?? {};
  return () => void valuesOf.set(world, kept);
}

/** Called after each test file: worlds of other files have the same names. */
export const forgetValues = (): void => valuesOf.clear();

/** Notes the values that a request sets. */
export function noteValuesIn(path: string, sent: object | string | undefined, answer: CheckedAnswer): void {
  if (typeof sent !== 'object' || answer.status >= 300) return;
  const { assumptions, value } = sent as { assumptions?: Record<string, Value>; value?: Value };
  const name = /^\/_sandbox\/assumptions\/(\w+)$/.exec(path)?.[1];
  if (name !== undefined && value !== undefined) noteValues(worldOf(answer), { [name]: value });
  const { data } = (answer.body ?? {}) as { data?: { name: string } };
  if (path === '/_sandbox/worlds' && assumptions && data) noteValues(data.name, assumptions);
}

const worldOf = ({ headers }: CheckedAnswer): string => String(headers['x-sandbox-world']).replace(/;.*/, '');

interface OtherForm {
  readonly value: Value;
  /** Schemas of the contract that the value changes. */
  readonly schemas: readonly string[];
  /** The body as it would be by default; undefined if there is nothing to check in it. */
  usual(body: Node): Node | undefined;
}

const END = ['failure_code', 'failure_category', 'call_outcome', 'disconnection_reason'];
const isList = (data: unknown): data is Node[] => Array.isArray(data);
const withStatus = (number: Node): Node => ({ ...number, texting_status: number.texting_status ?? 'none' });

const otherForms: { readonly [Name in SettableName]?: OtherForm } = {
  dial_response_envelope: {
    value: 'data',
    schemas: ['DialAccepted'],
    usual: ({ data, ...beside }) => ({ ...(data as Node), ...beside }),
  },
  call_fields: {
    value: 'absent',
    schemas: ['CallResponse'],
    usual: ({ data, ...rest }) => {
      const call = data as Node;
      const none = call.ended_at === null && END.every((name) => !(name in call));
      return none ? { ...rest, data: { ...Object.fromEntries(END.map((name) => [name, null])), ...call } } : { data };
    },
  },
  enterprise_absent: {
    value: 200,
    schemas: ['EnterpriseResponse'],
    usual: (body) => (body.data === null && Object.keys(body).length === 1 ? undefined : body),
  },
  subscription_response: {
    value: 'id_only',
    schemas: ['WebhookSubscription'],
    usual: (body) => ({ webhook_url: 'https://example.com', event_type: 'new_call', ...body }),
  },
  texting_status: {
    value: 'null',
    schemas: ['PhoneNumberResponse', 'PhoneNumberPage'],
    usual: ({ data, ...rest }) => ({ ...rest, data: isList(data) ? data.map(withStatus) : withStatus(data as Node) }),
  },
};

/** The body in the default form of this schema, whatever its world assumes; undefined if there is nothing to check. */
export function inUsualForm(schema: string | undefined, answer: CheckedAnswer): unknown {
  const values = valuesOf.get(worldOf(answer)) ?? {};
  const form = Object.entries(otherForms).find(
    ([name, { value, schemas }]) => String(values[name]) === String(value) && schemas.includes(schema ?? ''),
  )?.[1];
  return form ? form.usual(answer.body as Node) : answer.body;
}
