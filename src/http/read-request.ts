// The stages between matching and execution that read the request: control headers, body, JSON and query.
import type { IncomingMessage } from 'node:http';
import { noFiles } from '../engine/operation.ts';
import type { Turns } from '../scheduler/turns.ts';
import { type ArrivingBody, hasBody, isJson, type ReceivedBody, readJson, receiveBody } from './body.ts';
import { noControlHeaders, readControlHeaders } from './control-headers.ts';
import { type Controls, noControls } from './controls.ts';
import { readLargeJson } from './large-json.ts';
import { readQuery } from './query.ts';
import type { AuthenticatedRequest, ControlledRequest, MatchedRequest, ParsedRequest, ReadRequest } from './stages.ts';

/** Reads the control headers; strict mode ignores them. */
export function readControls({ received, route }: MatchedRequest, strict: boolean): ControlledRequest {
  return { received, route, controls: strict ? noControls : controlsOf(received.req) };
}

function controlsOf(req: IncomingMessage): Controls {
  const headers = readControlHeaders(req);
  return headers === noControlHeaders ? noControls : { ...headers, faults: null };
}

/** Starts reading the body of an operation that takes one; null for any other, whose body is discarded. */
export function startBody({ received, route }: MatchedRequest): ArrivingBody | null {
  if (route.contract.takesBody) return receiveBody(received.req, route.bodyLimit);
  // Unread, each part that its client has sent takes some 200 bytes for as long as the request is served.
  if (hasBody(received.req)) received.req.resume();
  return null;
}

export function withBody(
  { received, route, controls, entered }: AuthenticatedRequest,
  body: ReceivedBody | null,
): ReadRequest {
  return { received, route, controls, entered, body };
}

/** Parses body and query. Throws for a body that is too large (413), has another media type (415) or malformed JSON. */
export function parseRequest({ received, route, controls, entered, body }: ReadRequest): ParsedRequest {
  const json = body ? readJson(received.req, body, route.bodyLimit) : undefined;
  return { received, route, controls, entered, body, json, files: noFiles, query: queryOf(received) };
}

/** The same for a body over BODY_LIMIT. */
export async function parseLargeRequest(request: ReadRequest, turns: Turns): Promise<ParsedRequest> {
  const { received, route, controls, entered, body } = request;
  if (!body || !isJson(received.req, body, route.bodyLimit)) return parseRequest(request);
  const { world } = entered;
  const { json, files } = await readLargeJson(body.bytes, route.contract.fileFields, { turns, world });
  return { received, route, controls, entered, body, json, files, query: queryOf(received) };
}

const queryOf = ({ rawQuery }: ReadRequest['received']): Record<string, unknown> =>
  rawQuery === '' ? {} : readQuery(rawQuery);
