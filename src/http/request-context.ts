// One request on its way through the pipeline: what each step has found out about it.
import type { Request, Response } from 'express';
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import type { Operation } from '../contract/document.ts';
import type { Caller } from '../engine/operation.ts';
import { token } from '../identity/seeded.ts';
import type { SelectionRecord } from '../model.ts';
import type { WorldScenarios } from '../scenarios/library.ts';
import type { Tx } from '../store/store.ts';
import { BODY_LIMIT, type ReceivedBody } from './body.ts';
import { type ControlHeaders, noControlHeaders } from './control-headers.ts';
import type { RateStanding } from './rate-limit.ts';

export class RequestContext {
  readonly req: Request;
  readonly res: Response;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly began = performance.now();
  operation: Operation | null = null;
  params: Readonly<Record<string, string>> = {};
  controls: ControlHeaders = noControlHeaders;
  caller: Caller | null = null;
  world: string | null = null;
  /** To be called when the request is done with, so that its world can be idle again. */
  release: (() => void) | undefined;
  /** The world had gone and was made anew for this request. */
  recreated = false;
  /** Its id in the journal, once it has one, the world's time at which it came, and the epoch that both belong to. */
  id: string | null = null;
  at: number | null = null;
  epoch: number | null = null;
  rate: RateStanding | null = null;
  scenarios: WorldScenarios | null = null;
  /** What the world has set in the assumption ledger. */
  assumptions: AssumptionValues = {};
  /** The world's clock is an instant one: what is planned runs before the answer leaves. */
  instant = false;
  body: ReceivedBody | null = null;
  selection: SelectionRecord | null = null;
  replayed = false;

  constructor(req: Request, res: Response) {
    this.req = req;
    this.res = res;
    const mark = req.url.indexOf('?');
    this.path = mark < 0 ? req.url : req.url.slice(0, mark);
    this.query = mark < 0 ? '' : req.url.slice(mark + 1);
  }

  /** The largest body, in bytes, that is read for it. */
  get bodyLimit(): number {
    return this.operation?.maxBodyBytes ?? BODY_LIMIT;
  }

  /** More bytes of a body may come than anyone reads; the connection cannot be used again. */
  get leavesBytes(): boolean {
    if (this.body?.tooLarge) return true;
    const { 'content-length': length, 'transfer-encoding': encoding } = this.req.headers;
    return Number(length) > this.bodyLimit || (encoding !== undefined && !this.req.complete);
  }

  /** The address by which the client reached this server. */
  get origin(): string {
    return originOf(this.req);
  }
}

/** An id for the next request of this world. */
export function requestId(tx: Tx): string {
  return `req_${token(24, tx.world.seed, tx.world.name, 'requests', tx.ordinal('requests'))}`;
}

/** `http://host:port`, from the Host header; what is no host name or address falls back to the socket's own. */
export function originOf(req: Request): string {
  const { host } = req.headers;
  if (host !== undefined && /^[\w.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/.test(host)) return `http://${host}`;
  return `http://127.0.0.1:${req.socket.localPort}`;
}
