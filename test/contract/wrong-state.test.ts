// Operations in the wrong state: 409 `conflict` that names the state and what is allowed, and changes nothing. The
// assumptions `extra_error_codes`, `enterprise_absent`, `resubmission`, `caller_id_states`, `disabled_agent`,
// `create_remediation`, `display_identities`, `submit_enterprise`, `available_numbers`, `configure_number`, `set_cnam`,
// `brand_registration`, `campaign_registration`, `job_states`.
import { beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { operations } from '../support/operations.ts';
import { useSandbox } from '../support/sandbox.ts';
import { sample, thorough } from '../support/thorough.ts';
import { send, worldSnapshot } from '../support/valid-request.ts';
import { stateConflicts } from './state-conflicts.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

/** Writes that no state forbids, each with the reason. */
const always: Readonly<Record<string, string>> = {
  dialCall: 'its states have codes of their own: call_id_not_verified, no_active_number, the capacity',
  createWebrtcToken: 'each creates its own room',
  createClientToken: 'a key may mint at any time',
  createLead: 'leads may repeat',
  hangupCall: 'hanging up an ended call succeeds',
  updateAgent: 'an agent can be changed at any time',
  deleteCallerId: 'a second DELETE is 200',
  deleteWebhookSubscription: 'a deleted subscription is 404',
  uploadDocument: 'a document depends on no state',
  releasePhoneNumber: 'a second DELETE is 200',
  sendMessage: 'its states have a code of their own: texting_not_ready',
  createSubEntity: 'names may repeat; the slug gets a suffix',
  updateSubEntity: 'a sub-entity can be changed at any time',
};

it('every write has a state that forbids it, or a reason why none does', () => {
  const writes = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  const known = new Set([...stateConflicts.map(({ operation }) => operation), ...Object.keys(always)]);
  expect([...known].sort()).toEqual([...writes].sort());
});

describe('a 409 names the state and what is allowed, and changes nothing', () => {
  it.each(
    sample(
      stateConflicts.filter(({ isLong }) => thorough || !isLong),
      ({ operation }) => operation,
    ),
  )('$operation with $state', async ({ prepare, request, names, allowed, fields = [] }) => {
    const id = await prepare?.({ sandbox, client });
    const conflicting = await request(client, id ?? '');
    const before = await worldSnapshot(client);
    const answer = await send(client, conflicting);
    expectError(answer, 409, 'conflict');
    const { message, resolution_hint, fields: listed = {} } = answer.body.error;
    expect(message.toLowerCase()).toContain(names.toLowerCase());
    expect(`${message} ${resolution_hint}`).toMatch(allowed);
    expect(Object.keys(listed)).toEqual(fields);
    expect(await worldSnapshot(client)).toEqual(before);
  });
});
