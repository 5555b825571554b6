// The signature of a message of an inbox is checked in slices: with as many secrets as are tried, that of a large body takes
// a tenth of a second, and whoever reaches the inbox needs no key.
import { expect, it } from 'vitest';
import { receiveInInbox } from '../../src/admin/inbox.ts';
import { SIGNATURE_HEADER, signatureOf } from '../../src/webhooks/sign.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';
import { plannedWorld, subscriptionOf, WORLD } from './held-setup.ts';

const SECRETS = 99;

/** A world with subscriptions that have secrets of their own, and turns in which each piece of work takes a slice. */
async function manySecrets() {
  const { store, transaction } = await plannedWorld();
  await transaction((tx) => {
    for (let n = 0; n < SECRETS; n++) {
      const subscription = subscriptionOf(tx, `s${n}`);
      tx.put('subscriptions', {
        ...subscription,
        private: { ...subscription.private, rank: n + 1, signing_secret: `secret ${n}` },
      });
    }
  });
  const { loop, afterRequests } = watchedLoop();
  const parts = { store, turns: turnsOn(afterRequests, 1) };
  const receive = (header: string | null) => {
    const headers = header === null ? {} : { [SIGNATURE_HEADER.toLowerCase()]: header };
    const message = { method: 'POST', path: '/_sandbox/inbox/a', query: '', headers, body: Buffer.from('{}') };
    return receiveInInbox(parts, WORLD, 'a', message);
  };
  return { loop, transaction, receive };
}

it('a signature that no secret or the last one has made takes a round of the event loop for each', async () => {
  const { loop, transaction, receive } = await manySecrets();
  expect((await receive('0'.repeat(64))).data.signature).toBe('invalid');
  expect(loop.rounds).toBeGreaterThan(SECRETS);
  loop.rounds = 0;
  expect((await receive(signatureOf('{}', `secret ${SECRETS - 1}`))).data.signature).toBe('valid');
  expect(loop.rounds).toBeGreaterThan(SECRETS - 1);
  const [last] = await transaction((tx) => tx.journal('inbox').entries.slice(-1));
  expect(last).toMatchObject({ signature: 'valid', signed_with: `s${SECRETS - 1}` });
});

it('a message without a signature is not held up', async () => {
  const { loop, receive } = await manySecrets();
  expect((await receive(null)).data.signature).toBe('absent');
  expect((await receive('no-secret-provided')).data.signature).toBe('absent');
  expect(loop.rounds).toBe(0);
});
