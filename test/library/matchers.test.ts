// The matchers for test runners.
import { describe, expect, it } from 'vitest';
import '../../src/vitest.ts';
import { createReceiver, destinationFor } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox } = useSandbox({ clock: 'manual' });

describe('the matchers', () => {
  it('tell what was delivered, received and ended, and print what came nearest', async () => {
    await using receiver = await createReceiver();
    const world = sandbox.world('matchers');
    await world.subscribe(receiver.url, 'call_busy');
    const to_number = destinationFor('busy');
    const call_id = await clientOf(sandbox.url, world.apiKey).call(to_number);
    await expect(expect(world).toHaveEnded(call_id)).rejects.toThrow(`Call ${call_id} is QUEUED; expected an end.`);
    await expect(expect(world).toHaveDelivered('call_busy')).rejects.toThrow(
      'Only these events have happened: new_call',
    );
    await world.clock.untilIdle();
    await expect(world).toHaveEnded(call_id, 'BUSY');
    await expect(world).not.toHaveEnded(call_id, 'COMPLETED');
    await expect(world).toHaveDelivered('call_busy', { id: call_id });
    const other = expect(world).toHaveDelivered('call_busy', { id: 'other' });
    await expect(other).rejects.toThrow(/not delivered call_busy with \{"id":"other"\}.*Nearest:\n {2}delivered /s);
    await expect(expect(world).toHaveDelivered('new_call')).rejects.toThrow('but was not delivered');
    await expect(expect({}).toHaveDelivered('new_call')).rejects.toThrow('expect(sandbox).toHaveDelivered(…); got {}');
    await expect(world).toHaveReceivedRequest({ operation: 'dialCall', body: { to_number } }, 1);
    const twice = expect(world).toHaveReceivedRequest({ operation: 'dialCall' }, 2);
    await expect(twice).rejects.toThrow('has received 1 such requests');
  });

  it('tell why nothing was delivered: what happened, who listens, that the clock stands, and the timeline', async () => {
    const world = sandbox.world('undelivered');
    const message = (): Promise<string> =>
      expect(world)
        .toHaveDelivered('call_busy')
        .then(
          () => 'passed',
          (error: Error) => error.message,
        );
    expect(await message()).toBe(
      'World undelivered has not delivered call_busy. Nothing has happened.\nSubscriptions: none.',
    );
    const call_id = await clientOf(sandbox.url, world.apiKey).call(destinationFor('busy'));
    await world.subscribe('http://127.0.0.1:9/hooks', 'call_completed');
    const standing = await message();
    expect(standing).toContain(
      'Only these events have happened: new_call.\nSubscriptions:\n  call_completed to http://127.0.0.1:9/',
    );
    expect(standing).toMatch(/\nThe clock is stopped at \S+ with \d+ pending: advance it\.\n\n/);
    await world.clock.untilIdle();
    const ended = await message();
    expect(ended).toContain('It happened, but was not delivered: no subscription has that type.\nSubscriptions:\n');
    expect(ended.split('\n\n')[1]).toContain(call_id);
    expect(ended).not.toContain('The clock stands');
  });

  it('take asymmetric matchers for the fields of a delivery, which may have more than is asked for', async () => {
    await using receiver = await createReceiver();
    const world = sandbox.world('asymmetric');
    await world.subscribe(receiver.url, 'call_busy');
    await clientOf(sandbox.url, world.apiKey).call(destinationFor('busy'));
    await world.clock.untilIdle();
    await expect(world).toHaveDelivered('call_busy', {
      id: expect.any(String),
      to_number: expect.stringMatching(/^\+/),
    });
    await expect(world).not.toHaveDelivered('call_busy', { id: expect.any(Number) });
    const failed = expect(world).toHaveDelivered('call_busy', { id: expect.any(Number) });
    await expect(failed).rejects.toThrow('has not delivered call_busy with {"id":"Any<Number>"}. Nearest:');
    expect((await receiver.next({ id: expect.any(String) })).body).toMatchObject({ status: 'BUSY' });
  });

  it('name the requests that nearly match, and where each differs', async () => {
    const world = sandbox.world('near');
    const to_number = destinationFor('busy');
    await clientOf(sandbox.url, world.apiKey).call(to_number);
    const failed = expect(world).toHaveReceivedRequest({ operation: 'dialCall', body: { to_number: '+12125550199' } });
    await expect(failed).rejects.toThrow(
      new RegExp(
        [
          'World near has received 0 such requests; expected at least 1 of {"operation":"dialCall",.*}. Nearest:',
          '  POST /v1/calls/dial -> 202  req_\\w+',
          `    body.to_number is "\\${to_number}"; expected "\\+12125550199"`,
          '',
          '.*call created QUEUED',
        ].join('\n'),
        's',
      ),
    );
    const negated = expect(world).not.toHaveReceivedRequest({ operation: 'dialCall' });
    await expect(negated).rejects.toThrow('received 1 such requests; expected none of {"operation":"dialCall"}');
  });

  it.each([
    ['undefined', { operation: undefined }, 'match.operation is undefined; must be plain JSON'],
    ['an asymmetric matcher', { body: { to: expect.any(String) } }, 'match.body.to is Any'],
    ['a pattern', { body: { tags: [/x/] } }, 'match.body.tags.0 is /x/; must be plain JSON'],
  ])('refuse what the server cannot compare with a request: %s', async (_, match, message) => {
    const failed = expect(sandbox).toHaveReceivedRequest(match as object);
    await expect(failed).rejects.toThrow(message);
  });

  it.each([-1, 1.5, Number.NaN, '2'])('refuse to count %j times', async (times) => {
    const failed = expect(sandbox).toHaveReceivedRequest({ operation: 'dialCall' }, times as number);
    await expect(failed).rejects.toThrow('toHaveReceivedRequest: times must be an integer of 0 or more; got');
  });
});
