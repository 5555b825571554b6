// Snapshots and inboxes over a restart, and snapshots that cannot be read: `interface.md` sections 1 and 5, --state.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { advance, changeStateFile, useRestarts } from './setup.ts';

const { startServer } = useRestarts();

const document = {
  filename: 'licence.pdf',
  content_type: 'application/pdf',
  content_base64: Buffer.from('%PDF-1.4\nnot much\n%%EOF').toString('base64'),
};

describe('a restart', () => {
  it('keeps snapshots, with the bytes of documents, and what inboxes have received', async () => {
    const server = await startServer();
    const { document_id } = (await server.client.post('/v1/caller-trust/documents', document)).body.data;
    const call = await server.client.call('+12125550100');
    await fetch(`${server.sandbox.url}/_sandbox/inbox/orders`, { method: 'POST', body: 'first' });
    await server.sandbox.snapshot('base');
    const content = async () => (await server.client.get(`/_sandbox/documents/${document_id}/content`)).body;
    const before = await content();
    await server.sandbox.reset();
    await server.restart();
    expectError(await server.client.get(`/v1/calls/${call}`), 404, 'not_found');
    expect((await server.client.post('/_sandbox/snapshots/base/restore')).status).toBe(200);
    await server.restart();
    expect((await server.client.readCall(call)).status).toBe('QUEUED');
    expect(await content()).toEqual(before);
    expect((await server.client.get('/_sandbox/inbox/orders/messages')).body.data).toMatchObject([{ body: 'first' }]);
    await advance(server.client, '5m');
    expect((await server.client.readCall(call)).status).toBe('COMPLETED');
  });
});

describe('a snapshot in a state file', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a damaged file can have anything.
  type Kept = any;

  it.each<[string, (snapshot: Kept) => void, string]>([
    ['of another version', (kept) => Object.assign(kept, { format: 4 }), 'has the format 4'],
    ['without its records', (kept) => delete kept.content.rows.calls, 'is cut short: it has 6 of its 7 records'],
    ['without its clock', (kept) => delete kept.content.state.clock, 'is damaged: state.clock'],
    [
      'whose clock cannot go on',
      (kept) => delete kept.content.state.clock.systemTime,
      'is damaged: state.clock.systemTime',
    ],
    ['without its journals', (kept) => delete kept.content.journals, 'is damaged: journals'],
    [
      'with a task that does not exist',
      (kept) => (kept.content.schedule[0].task.type = 'nap'),
      'is damaged: schedule.0',
    ],
    ['with a record of no table', (kept) => (kept.content.rows.cars = []), 'is damaged: rows'],
    ['with a record that is none', (kept) => (kept.content.rows.keys = [{ private: {} }]), 'is damaged: rows.keys.0'],
    ['without content', (kept) => Object.assign(kept, { content: null }), 'is damaged'],
  ])('%s is refused, and the world stays as it was', async (_, damage, reason) => {
    const server = await startServer();
    await server.client.call('+12125550100');
    await server.sandbox.snapshot('base');
    const after = await server.client.call('+12125550101');
    await server.sandbox.close();
    changeStateFile(server.file, (state) => damage(state.worlds.default.rows.snapshots[0]));
    await server.start();
    const clock = (await server.client.get('/_sandbox/clock')).body;
    const refused = await server.client.post('/_sandbox/snapshots/base/restore');
    expectError(refused, 409, 'conflict');
    expect(refused.body.error.message).toContain(`The snapshot base cannot be restored: it ${reason}`);
    expect((await server.client.readCall(after)).status).toBe('QUEUED');
    expect((await server.client.get('/_sandbox/clock')).body).toEqual(clock);
    expect((await server.client.get('/_sandbox/snapshots')).body.data).toHaveLength(1);
    expect((await server.client.delete('/_sandbox/snapshots/base')).status).toBe(204);
  });
});
