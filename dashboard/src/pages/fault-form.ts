// The faults that the page offers, and what its form means.
import type { FaultSpec } from '../../../src/client/shown.ts';
import { numberIn } from '../format.ts';

const effects: Readonly<Record<string, readonly [string, Partial<FaultSpec>]>> = {
  internal_error: ['500 internal_error', { error: 'internal_error' }],
  rate_limited: ['429 rate_limited', { error: 'rate_limited' }],
  provider_api_error: ['502 provider_api_error', { error: 'provider_api_error' }],
  gateway: [
    'A gateway answers 502 in HTML',
    { respond: { status: 502, headers: { 'Retry-After': '5' }, body: '<h1>502 Bad Gateway</h1>' } },
  ],
  unavailable: ['A gateway answers 503', { respond: { status: 503, headers: { 'Retry-After': '5' }, body: '' } }],
  slow: ['2 to 4 seconds later', { latency: '2s..4s' }],
  reset: ['The connection is reset', { fault: 'reset' }],
  truncate: ['The answer is cut off', { fault: 'truncate' }],
  timeout: ['No answer comes', { fault: 'timeout' }],
  drift: ['Unknown fields and values in answers', { drift: ['extra_fields', 'unknown_enum'] }],
};

/** By their keys, as they are shown. */
export const troubles = Object.entries(effects).map(([key, [shown]]) => [key, shown] as const);

interface Form {
  readonly trouble: string;
  readonly operation: string;
  readonly times: string;
  readonly probability: string;
}

/** Throws an error that can be shown if what is to be a number is none. */
export function faultOf({ trouble, operation, times, probability }: Form): FaultSpec {
  const given = {
    ...(operation.trim() === '' ? {} : { operation: operation.trim() }),
    ...(times.trim() === '' ? {} : { times: numberIn('Times', times) }),
    ...(probability.trim() === '' ? {} : { probability: numberIn('Probability', probability) }),
  };
  return { ...effects[trouble]?.[1], ...given };
}
