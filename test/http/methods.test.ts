// The methods of each path, walked from openapi.yaml; HEAD; 405 with `Allow` (`interface.md` section 3).
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { methodsByPath } from '../support/operations.ts';
import { usePlatform } from './setup.ts';

const { wire } = usePlatform();

describe('methods', () => {
  it.each([...methodsByPath])('%s answers other methods with 405 and Allow', async (path, methods) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const answer = await wire.send({ method, path });
      if (methods.includes(method)) {
        expect(answer.status, method).not.toBe(405);
      } else {
        expect(answer.status, method).toBe(405);
        expect(answer.headers.allow?.split(', ').sort(), method).toEqual([...methods].sort());
        if (method !== 'HEAD') expectError(answer, 405, 'method_not_allowed');
      }
    }
  });

  it('HEAD gets the headers of GET, without the body', async () => {
    const get = await wire.send({ path: '/v1/account' });
    const head = await wire.send({ method: 'HEAD', path: '/v1/account' });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});
