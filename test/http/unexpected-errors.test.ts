// A bug in what every request passes first is answered with 500 and logged, and the server serves on.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import { ApiError } from '../../src/errors/api-error.ts';
import { createOwnAddresses } from '../../src/http/own-address.ts';
import type { Log } from '../../src/log.ts';
import { createHttpServer } from '../../src/server.ts';
import { clientOf } from '../support/client.ts';

it('an error before a request is routed is 500 in the envelope, and the next request is answered', async () => {
  const logged: string[] = [];
  const log: Log = {
    error: (_, message) => void logged.push(message),
    info() {},
    debug() {},
    line() {},
    shows: () => false,
    dropped: 0,
  };
  let isBroken = true;
  const server = createHttpServer(express(), log, {
    addresses: createOwnAddresses(null, []),
    checkHeaders() {
      if (isBroken) throw new Error('a bug');
      return new ApiError('forbidden');
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const answer = await client.get('/_sandbox/nowhere');
  expect([answer.status, answer.body.error.code]).toEqual([500, 'internal_error']);
  expect(logged).toEqual(['a request could not be answered']);
  isBroken = false;
  expect((await client.get('/_sandbox/nowhere')).status).toBe(403);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
