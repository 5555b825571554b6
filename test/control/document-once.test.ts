// How often the OpenAPI document of the control API is made: that takes longer than anything else that a request asks for.
import { expect, it } from 'vitest';
import { openapiRoute } from '../../src/control/openapi.ts';

it('is made once for all requests, though each reaches the server in its own way', async () => {
  let made = 0;
  const route = openapiRoute(() => {
    made += 1;
    return [];
  });
  const serversAt = async (address: string): Promise<unknown> => {
    const input = { sandbox: { settings: { controlToken: null }, version: '1.0.0' }, address };
    const { raw } = await (route.handle as (given: unknown) => Promise<{ raw: { content: string } }>)(input);
    return JSON.parse(raw.content).servers;
  };
  expect(await serversAt('http://sandbox.test')).toEqual([{ url: '/' }]);
  expect(await serversAt('https://sandbox.test/$&voice')).toEqual([{ url: '/$&voice' }]);
  expect(made).toBe(1);
});
