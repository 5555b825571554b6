// The media type of a request: the assumption extra_error_codes (415). Nothing is stored.
import { describe, expect, it } from 'vitest';
import { stretched } from '../support/until.ts';
import { dialBody, expectRefusal, useUnchangedPlatform } from './setup.ts';

const { wire, dial } = useUnchangedPlatform({ rateLimit: 'off' });

describe('the media type', () => {
  it.each([
    'text/plain',
    'text/json',
    'json',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'application/jsonp',
    ';',
    '',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json;charset="windows-1252"',
    'text/plain; charset=utf-8; x=application/json',
  ])('%j is 415', async (type) => {
    expectRefusal(await dial({}, { headers: { 'Content-Type': type } }), 415, 'unsupported_media_type');
  });

  it('is required: without one the request is 415', async () => {
    const answer = await wire.send({ method: 'POST', path: '/v1/calls/dial', body: dialBody() });
    expectRefusal(answer, 415, 'unsupported_media_type');
    expect(answer.body.error.resolution_hint).toContain('Content-Type: application/json');
  });

  it('of a scenario is 415, naming both that are accepted, unless it is JSON or YAML', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await wire.send({
      method: 'PUT',
      path: '/_sandbox/scenarios/own_line',
      headers,
      body: 'kind: call',
    });
    expectRefusal(answer, 415, 'unsupported_media_type');
    expect(answer.body.error.message).toContain('accepts application/json or application/yaml');
    expect(answer.body.error.resolution_hint).toContain('application/yaml');
  });

  it.each(['gzip', 'br', 'deflate, gzip'])('with the content coding %s is 415', async (coding) => {
    expectRefusal(await dial({}, { headers: { 'Content-Encoding': coding } }), 415, 'unsupported_media_type');
  });

  it.each([
    ['of parameters', `application/json${'; a="b"'.repeat(1000)}`],
    ['of spaces', `application/json;${' '.repeat(7000)}x`],
    ['of quotes', `application/json; a="${'\\"'.repeat(3500)}`],
  ])('of 7,000 characters %s is 415 at once', async (_, type) => {
    const began = performance.now();
    expectRefusal(await dial({}, { headers: { 'Content-Type': type } }), 415, 'unsupported_media_type');
    expect(performance.now() - began).toBeLessThan(stretched(500));
  });
});
