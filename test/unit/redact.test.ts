// Redaction as pure functions: no secret survives, and everything around it stays as it was.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactedBody, redactedHeader, redactedQuery, secretNames, withoutKeys } from '../../src/http/redact.ts';

const REDACTED = '[redacted]';
const secret = fc.stringMatching(/^[A-Za-z0-9]{8,40}$/).filter((text) => !/redacted/i.test(text));
const name = fc.constantFrom(...secretNames);

describe('a body', () => {
  it('loses the value of every secret field, at any depth, and keeps its other fields', () => {
    fc.assert(
      fc.property(name, secret, fc.jsonValue(), (field, value, other) => {
        const body = JSON.stringify({ other, nested: [{ [field]: value }] });
        const clean = redactedBody(body);
        fc.pre(!JSON.stringify(other).includes(value));
        expect(clean).not.toContain(value);
        expect(JSON.parse(clean).nested).toEqual([{ [field]: REDACTED }]);
      }),
    );
  });

  it('without a secret stays the same text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[b-s]{1,8}$/), fc.integer()), (body) => {
        const text = JSON.stringify(body);
        expect(redactedBody(text)).toBe(text);
      }),
    );
  });

  it('keeps a secret field that is null, because null is not a secret', () => {
    expect(redactedBody('{"signing_secret":null}')).toBe('{"signing_secret":null}');
  });

  it('loses a secret whose name is escaped, or whose JSON is a string within JSON', () => {
    expect(redactedBody('{"\\u0074oken":"abcdefgh"}')).not.toContain('abcdefgh');
    expect(redactedBody(JSON.stringify({ raw: JSON.stringify({ api_key: 'abcdefgh' }) }))).not.toContain('abcdefgh');
  });

  it('loses a secret that is cut off in the middle', () => {
    expect(redactedBody('{"token":"abcdefgh')).not.toContain('abcdefgh');
  });
});

describe('a query', () => {
  it('loses the value of a secret parameter and keeps the others in their order', () => {
    fc.assert(
      fc.property(name, secret, (parameter, value) => {
        expect(redactedQuery(`page_size=2&${parameter}=${value}&cursor=x`)).toBe(
          `page_size=2&${parameter}=${REDACTED}&cursor=x`,
        );
      }),
    );
  });

  it('loses an API key under any name, percent-encoded or not', () => {
    expect(redactedQuery('q=svc_test_mine')).not.toContain('svc_test_mine');
    expect(redactedQuery('q=svc%5Ftest%5Fmine')).toBe(`q=${REDACTED}`);
  });
});

describe('a header', () => {
  it.each(['authorization', 'cookie', 'x-source-secret', 'proxy-authorization'])('%s loses its value', (header) => {
    expect(redactedHeader(header, 'anything at all')).toBe(REDACTED);
  });

  it('with another name loses only the API keys and tokens in it', () => {
    expect(redactedHeader('user-agent', 'curl/8 svc_key_0123abcd end')).toBe(`curl/8 ${REDACTED} end`);
    expect(redactedHeader('x-note', 'svc_test_My_test.worker-7/a:b end')).toBe(`${REDACTED} end`);
    expect(redactedHeader('x-note', 'is svc_control_0123abcd.')).toBe(`is ${REDACTED}.`);
    expect(withoutKeys('/a/eyJhbGciOi.eyJzdWIiOi.c2lnbmF0/b')).toBe(`/a/${REDACTED}/b`);
  });
});
