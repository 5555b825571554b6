// Journal entries for tests of what is made of them.
import type { RecordedMessage, RequestEntry } from '../../src/model.ts';

export const recorded = (body: string, headers: RecordedMessage['headers'] = {}): RecordedMessage => ({
  headers,
  body,
  body_bytes: Buffer.byteLength(body),
  body_sha256: null,
});

/** A dial that was accepted, unless the changes say otherwise. */
export const requestEntry = (changes: Partial<RequestEntry> = {}): RequestEntry => ({
  id: 'req_1',
  at: '2026-01-05T15:00:00.000Z',
  method: 'POST',
  path: '/v1/calls/dial',
  query: '',
  operation: 'dialCall',
  key_id: null,
  status: 202,
  error_code: null,
  duration_ms: 1,
  replayed: false,
  fault: null,
  // At its place, for tests that compare texts.
  faults: undefined,
  scenario: null,
  request: recorded(''),
  response: recorded(''),
  ...changes,
});
