// The handle of a world over the client of the control API: the same for a sandbox of this process and for a server
// elsewhere.
import type { ControlClient } from '../client/control-client.ts';
import { SandboxError } from '../client/sandbox-error.ts';
import { formatDuration } from '../clock/duration.ts';
import { checkedClock, checkedDuration, checkedInstant, isObject, milliseconds, shown } from './arguments.ts';
import type { SandboxClock, SandboxKeys, SandboxSimulate, SandboxWorld } from './handle.ts';
import type { SandboxEvent, WaitMatch } from './types.ts';

/** The longest that the control API waits for an event. */
const LONGEST_WAIT_MS = 60_000;

export interface WorldFacts {
  readonly name: string;
  readonly apiKey: string;
}

export function worldHandle(control: ControlClient, { name, apiKey }: WorldFacts): SandboxWorld {
  return {
    name,
    apiKey,
    control,
    clock: clockOf(control),
    simulate: simulateOf(control),
    keys: keysOf(control),
    deliveries: async (query = {}) => (await control.all('listDeliveries', { query })).reverse(),
    events: async (query = {}) => (await control.all('listEvents', { query })).reverse(),
    requests: async (query = {}) => (await control.all('listRequests', { query })).reverse(),
    waitFor: (match) => waitFor(control, match),
    async play(kind, scenarios) {
      if (scenarios !== null) {
        if (typeof scenarios !== 'string' && !Array.isArray(scenarios)) {
          throw new TypeError(`play: ${shown(scenarios)} is not valid; must be a scenario, a list of them, or null`);
        }
        const use = typeof scenarios === 'string' ? scenarios : [...scenarios];
        return control.call('setActiveScenario', { path: { kind }, body: { use } });
      }
      await control.call('clearActiveScenario', { path: { kind } });
      return control.call('getActiveScenario', { path: { kind } });
    },
    async fault(fault) {
      const set = await control.call('setFaults', { body: fault });
      if ('faults' in set) throw new TypeError('takes one fault');
      return set;
    },
    clearFaults: () => control.call('clearFaults'),
    async snapshot(requested) {
      const kept = await control.call('createSnapshot', { body: requested === undefined ? {} : { name: requested } });
      return {
        ...kept,
        async restore() {
          await control.call('restoreSnapshot', { path: { name: kept.name } });
        },
        delete: () => control.call('deleteSnapshot', { path: { name: kept.name } }),
      };
    },
    coverage: (query = {}) => control.call('getCoverage', { query }),
    async subscribe(webhook_url, types, plan) {
      const body = { webhook_url, event_types: [types].flat(), ...(plan === undefined ? {} : { plan }) };
      return (await control.call('subscribe', { body })).subscriptions;
    },
    reset: () => control.call('resetWorld'),
  };
}

function clockOf(control: ControlClient): SandboxClock {
  return {
    now: async () => (await control.call('getClock')).now,
    async advance(by, timeout = '30s') {
      const goal = isObject(by) && 'to' in by ? { to: checkedInstant(by.to) } : { by: checkedDuration(by) };
      return control.call('advanceClock', { body: { ...goal, timeout: checkedDuration(timeout) } });
    },
    async untilIdle(timeout = '30s') {
      return control.call('advanceClock', { body: { until: 'idle', timeout: checkedDuration(timeout) } });
    },
    async set(mode) {
      return control.call('setClock', { body: { mode: checkedClock(mode) } });
    },
    async tick(...[first, address = '']) {
      if (first !== null) {
        const body = typeof first === 'string' ? { every: first, url: address } : first;
        return control.call('setTick', { body });
      }
      await control.call('deleteTick');
      return null;
    },
  };
}

const simulateOf = (control: ControlClient): SandboxSimulate => ({
  inboundCall: (body = {}) => control.call('simulateInboundCall', { body }),
  inboundSms: (body = {}) => control.call('simulateInboundSms', { body }),
  newContact: (body = {}) => control.call('simulateNewContact', { body }),
  newAppointment: (body = {}) => control.call('simulateNewAppointment', { body }),
});

const keysOf = (control: ControlClient): SandboxKeys => ({
  create: (body = {}) => control.call('createKey', { body }),
  list: () => control.all('listKeys'),
  revoke: (id) => control.call('revokeKey', { path: { id } }),
});

/** Waits longer than the control API does by asking again; what has happened meanwhile counts. */
async function waitFor(control: ControlClient, wanted: WaitMatch): Promise<SandboxEvent> {
  if (!isObject(wanted)) {
    throw new TypeError(
      `waitFor: ${shown(wanted)} is not valid; must be an object such as { event_type: 'call_busy' }`,
    );
  }
  const { timeout = '10s', delivered, ...match } = wanted;
  let left = milliseconds(timeout);
  const query = { ...match, delivered: delivered === undefined ? undefined : (`${delivered}` as const) };
  for (;;) {
    const round = Math.min(left, LONGEST_WAIT_MS);
    left -= round;
    try {
      return await control.call('waitForEvent', { query: { ...query, timeout: formatDuration(round) } });
    } catch (error) {
      if (left <= 0 || !(error instanceof SandboxError) || error.code !== 'timeout') throw error;
    }
  }
}
