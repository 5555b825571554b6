// How a sandbox stops: nothing that has begun is lost, and whoever calls can turn to other replicas.
import type { Server } from 'node:http';
import { setTimeout } from 'node:timers';
import type { SandboxContext } from './engine/sandbox-context.ts';
import type { OpenConnections } from './http/connections.ts';
import type { OpenStore } from './open-store.ts';
import type { Rooms } from './rooms/rooms.ts';
import type { StateKeeper } from './state/keeper.ts';
import type { Streams } from './stream/streams.ts';

/** How long stopping waits for requests and deliveries in progress. */
export const GRACE_MS = 6000;
/** How long stopping takes at most, whatever is pending; a state file that is not written by then has its log. */
export const STOP_MS = 7000;
const STOP_POLL_MS = 20;
/** How long the answers to waits, which end when nothing else is in progress, may take. */
const LAST_ANSWERS_MS = 250;
/** How long it may take to record a pending delivery as ended, on a busy machine. */
const END_DELIVERY_MS = 0.1;
/** The part of what time is left in which deliveries may be ended; the rest is for the state file. */
const ENDING_PART = 0.6;
/** For how long no request has to come until a replica that stops closes idle connections: a balancer may be using one. */
const QUIET_MS = 250;
/** How long readers of streams have at least to take what waits for them. */
const LAST_WORDS_MS = 500;

/** What is running of a sandbox. */
export interface Running {
  readonly context: SandboxContext;
  readonly rooms: Rooms;
  readonly streams: Streams;
  readonly server: Server;
  readonly state: StateKeeper | null;
  readonly opened: OpenStore;
  readonly connections: OpenConnections;
  readonly closeUpgraded: () => void;
  readonly stopMaintenance: () => void;
}

/** Stops it. Work in progress has `graceMs` to finish before it is aborted; all of it takes `withinMs` at most. */
export async function stopSandbox(running: Running, graceMs: number, withinMs: number): Promise<void> {
  const { context, server, rooms, streams, state, connections } = running;
  const { scheduler, deliverer, openWork } = context;
  context.ready = false;
  running.stopMaintenance();
  scheduler.stop();
  const began = performance.now();
  // Very many pending deliveries are not sent in that time anyway, and to record their end takes time too.
  const until = began + graceMs - Math.min(graceMs / 2, openWork.total * END_DELIVERY_MS);
  const roomsClosed = rooms.close(graceMs);
  // Until then it answers that it is not ready, so that a load balancer which asks can turn to others.
  const onlyWaits = (): boolean => connections.openRequests() <= context.waits.size && !openWork.any;
  await untilDone(began + graceMs / 2, onlyWaits);
  const closed = connections.drain();
  const quietMs = running.opened.shared ? QUIET_MS : 0;
  await untilDone(until, () => onlyWaits() && connections.areQuiet(quietMs));
  // Readers of streams get what happened until now: without a state file, nobody could tell them later.
  const socketsClosed = Promise.all([roomsClosed, streams.close(Math.max(until - performance.now(), LAST_WORDS_MS))]);
  await deliverer.stop(ENDING_PART * (withinMs - (performance.now() - began)));
  // Nothing happens any more that they could wait for.
  const others = connections.openRequests() - context.waits.size;
  for (const end of context.waits) end();
  await untilDone(performance.now() + LAST_ANSWERS_MS, () => connections.openRequests() <= others);
  await socketsClosed;
  running.closeUpgraded();
  server.closeAllConnections();
  await closed;
  running.opened.close();
  await state?.close(withinMs - (performance.now() - began));
}

/** Waits until something is done, at most until a moment. */
async function untilDone(moment: number, isDone: () => boolean): Promise<void> {
  while (performance.now() < moment && !isDone()) {
    await new Promise((resolve) => setTimeout(resolve, STOP_POLL_MS));
  }
}
