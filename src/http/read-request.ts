// The stages between matching and execution that read the request: control headers, body, JSON and query.
import type { Request } from 'express';
import { type ArrivingBody, type ReceivedBody, readJson, receiveBody } from './body.ts';
import { noControlHeaders, readControlHeaders } from './control-headers.ts';
import { type Controls, noControls } from './controls.ts';
import { readQuery } from './query.ts';
import type { AuthenticatedRequest, ControlledRequest, MatchedRequest, ParsedRequest, ReadRequest } from './stages.ts';

/** Reads the control headers; strict mode ignores them. */
export function readControls({ received, route }: MatchedRequest, strict: boolean): ControlledRequest {
  return { received, route, controls: strict ? noControls : controlsOf(received.req) };
}

function controlsOf(req: Request): Controls {
  const headers = readControlHeaders(req);
  return headers === noControlHeaders ? noControls : { ...headers, faults: null };
}

/** Starts reading the body of an operation that takes one; null for any other. */
export function startBody({ received, route }: MatchedRequest): ArrivingBody | null {
  return route.contract.takesBody ? receiveBody(received.req, route.bodyLimit) : null;
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
  const query = received.rawQuery === '' ? {} : readQuery(received.rawQuery);
  return { received, route, controls, entered, body, json, query };
}
