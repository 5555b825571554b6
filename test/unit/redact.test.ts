// Redaction as pure functions: no secret survives, and everything around it stays as it was.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../src/redaction/patterns.ts';
import { redactedBody, redactedHeader } from '../../src/redaction/text.ts';
import { redactedPath, redactedQuery, redactedUrl } from '../../src/redaction/urls.ts';

const REDACTED = '[redacted]';
const secret = fc.stringMatching(/^[A-Za-z0-9]{8,40}$/).filter((text) => !/redacted/i.test(text));
/** Names of secrets, as their words. */
const names = [
  ...[
    'api key',
    'control key',
    'token',
    'signing secret',
    'source secret',
    'authorization',
    'access token',
    'credential',
  ],
  ...['client secret', 'password', 'refresh token', 'secret', 'private key', 'x api key', 'x source secret', 'cookie'],
  ...[
    'auth token',
    'webhook secret',
    'passphrase',
    'set cookie',
    'proxy authorization',
    'id token',
    'secret key',
    'jwt',
    'aws secret access key',
    'old password',
    'pwd',
    'slack token',
    'api keys',
  ],
];
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const spellings: ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join(''),
  (words) => words.join('_').toUpperCase(),
  (words) => words.map(capital).join('-'),
  (words) => words.map(capital).join(''),
  ([first = '', ...words]) => first + words.map(capital).join(''),
];
const name = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom(...spellings))
  .map(([words, spell]) => spell(words.split(' ')));

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

  it.each(names)('loses the value of the field "%s" in every spelling', (words) => {
    for (const spell of spellings) {
      const field = spell(words.split(' '));
      expect(redactedBody(JSON.stringify({ [field]: 'abcdefgh' }))).toBe(JSON.stringify({ [field]: REDACTED }));
    }
  });

  it.each(
    [
      ['twilio_auth_token', 'X-Amz-Security-Token', 'X-Vault-Token', 'api--key', '_token', 'password2'],
      ['openai_api_key', 'smtpPassword', 'DATADOG_API_KEY', 'google-client-secret'],
      ['password_confirmation', 'user[password]', 'user.password', 'user[api_keys][0]', 'access  token'],
    ].flat(),
  )('loses the value of "%s"', (field) => {
    expect(redactedBody(JSON.stringify({ [field]: 'abcdefgh' }))).toBe(JSON.stringify({ [field]: REDACTED }));
  });

  it.each(['wrong_secret', 'idempotency_key', 'max_tokens', 'accept_cookie', 'signed_with', 'my_token'])(
    'keeps the value of "%s"',
    (field) => {
      const body = JSON.stringify({ [field]: 'abcdefgh' });
      expect(redactedBody(body)).toBe(body);
    },
  );

  it.each([
    'user[password]=abcdefgh&a=b',
    'p%61ssword=abcdefgh',
    '{"next":"https://a.test/?token=abcdefgh"}',
    '{"api\\u0020key":"abcdefgh"}',
  ])('loses the secret of %s', (body) => {
    expect(redactedBody(body)).not.toContain('abcdefgh');
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

describe('a path', () => {
  it('loses keys and tokens, percent-encoded or not, and nothing else', () => {
    expect(redactedPath('/v1/calls/svc_key_0a/transcript')).toBe(`/v1/calls/${REDACTED}/transcript`);
    expect(redactedPath('/v1/calls/svc%5Fkey%5F0a/transcript')).toBe(`/v1/calls/${REDACTED}/transcript`);
    for (const path of ['/v1/calls/dial', '/v1/calls/a%20b/%zz', '/v1/leads/lead_default', '']) {
      expect(redactedPath(path)).toBe(path);
    }
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

  it.each(['user[api_key]=abcdefgh', 'user%5Bapi_key%5D=abcdefgh', 'filter.apiKey=abcdefgh', 'token%3Dabcdefgh'])(
    'loses the value of a nested parameter: %s',
    (query) => {
      expect(redactedQuery(query)).not.toContain('abcdefgh');
    },
  );

  it('loses an API key under any name, percent-encoded or not', () => {
    expect(redactedQuery('q=svc_test_mine')).not.toContain('svc_test_mine');
    expect(redactedQuery('q=svc%5Ftest%5Fmine')).toBe(`q=${REDACTED}`);
  });
});

describe('addresses in one another', () => {
  const nested = (levels: number, query: string): string => `${'next=https://a.test/?'.repeat(levels)}${query}`;

  it('lose their secrets, and are kept without any', () => {
    expect(redactedQuery(nested(3, 'token=abcdefgh'))).toBe(`next=${REDACTED}`);
    expect(redactedQuery(nested(3, 'page=2'))).toBe(nested(3, 'page=2'));
    expect(redactedUrl(`https://a.test/?${nested(3, 'page=2')}`)).toBe(`https://a.test/?${nested(3, 'page=2')}`);
  });

  it('are redacted unread where there are more than anyone needs, thousands as well', () => {
    for (const levels of [10, 20_000]) expect(redactedQuery(nested(levels, 'page=2'))).toBe(`next=${REDACTED}`);
    const url = `https://a.test/?${nested(20_000, 'page=2')}`;
    expect(redactedBody(`{"webhook_url":"${url}"}`)).toBe(`{"webhook_url":"https://a.test/?next=${REDACTED}"}`);
  });
});

describe('text', () => {
  it.each([
    ['curl -H "Authorization: Bearer ab12cd34ef"', 'curl -H "Authorization: Bearer [redacted]"'],
    ['Authorization: Basic dXNlcjpwYXNzd29yZDE=', 'Authorization: Basic [redacted]'],
    ['at https://user:pass@hooks.example.test/a', 'at https://[redacted]@hooks.example.test/a'],
    ['"https:\\/\\/user@hooks.example.test\\/a"', '"https:\\/\\/[redacted]@hooks.example.test\\/a"'],
    ['ltk_0123456789abcdef0123 and lss_0123456789abcdef0123', '[redacted] and [redacted]'],
    ['svc_key_zz', '[redacted]'],
  ])('loses what looks like a secret: %s', (text, clean) => {
    expect(withoutSecrets(text)).toBe(clean);
  });

  it.each([
    'Bearer realm="ringback", error="invalid_token"',
    'the header is not of the form `Bearer <API_KEY>`',
    'Bearer tokens are sent with basic authentication',
    'A test key is svc_test_<world> or svc_test_<world>.<anything>',
    'mail someone@example.test about http://127.0.0.1:4747/v1/calls',
    'lead_default',
  ])('stays as it is otherwise: %s', (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });
});

describe('markup', () => {
  it.each([
    ['<a><password x="1">abcdefgh</password></a>', `<a><password x="1">${REDACTED}</password></a>`],
    ['<a><s:token>abcdefgh</s:token></a>', `<a><s:token>${REDACTED}</s:token></a>`],
    ['<a password="abcdefgh" b="2"/>', `<a password="${REDACTED}" b="2"/>`],
    ['<token><![CDATA[abcdefgh]]></token>', `<token>${REDACTED}</token>`],
  ])('loses the secrets of %s', (text, clean) => {
    expect(redactedBody(text)).toBe(clean);
  });

  it('loses all lines of a part', () => {
    const part = '--b\r\nContent-Disposition: form-data; name="private_key"\r\n\r\nabc\r\nabcdefgh\r\n--b--';
    expect(redactedBody(part)).not.toContain('abcdefgh');
    expect(redactedBody(part)).toContain('--b--');
  });

  it('loses the content of secret elements and parts', () => {
    expect(redactedBody('<a><apiKey>k1</apiKey><b>2</b></a>')).toBe(`<a><apiKey>${REDACTED}</apiKey><b>2</b></a>`);
    const part = (name: string, value: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    expect(redactedBody(part('client_secret', 'k1') + part('a', '2'))).toBe(
      part('client_secret', REDACTED) + part('a', '2'),
    );
  });
});

describe('the address of a webhook', () => {
  const slack = 'T0/B0/a1b2c3d4e5f6a7b8c9d0E1F2';
  it.each([
    [`https://hooks.example.test/services/${slack}`, 'https://hooks.example.test/services/T0/B0/[redacted]'],
    ['https://u:p@hooks.example.test/a', 'https://[redacted]@hooks.example.test/a'],
    ['https://a.test/h?token=x&team=1&sig=y', 'https://a.test/h?token=[redacted]&team=1&sig=[redacted]'],
    ['https://a.test/h?x=a1b2c3d4e5f6a7b8c9d0&y=short1', 'https://a.test/h?x=[redacted]&y=short1'],
    ['https://a.test/h;token=x;a=1', 'https://a.test/h;token=[redacted];a=1'],
    ['https://a.test/h#token=x', 'https://a.test/h#token=[redacted]'],
    [`https:\\/\\/a.test\\/${slack.replaceAll('/', '\\/')}`, 'https:\\/\\/a.test\\/T0\\/B0\\/[redacted]'],
  ])('loses its secrets: %s', (url, clean) => {
    expect(redactedUrl(url)).toBe(clean);
    expect(redactedBody(`{"webhook_url":"${url}","event_type":"new_call"}`)).toBe(
      `{"webhook_url":"${clean}","event_type":"new_call"}`,
    );
  });

  it.each([
    'http://127.0.0.1:3000/hooks/call_completed',
    'http://127.0.0.1:3000/hooks/3f0a7a52-6d0c-4d53-8a0e-5b1d6ad0c1f7',
    'https://a1b2c3d4e5f6a7b8c9d0e1.tunnel.example.test/voice?page=2',
    'https://a.test/orders_2026_01_05_of_the_north_region/x',
    'not an address',
    '',
  ])('stays as it is otherwise: %s', (url) => {
    expect(redactedUrl(url)).toBe(url);
  });
});

describe('a header', () => {
  it.each(['authorization', 'cookie', 'x-source-secret', 'proxy-authorization'])('%s loses its value', (header) => {
    expect(redactedHeader(header, 'anything at all')).toBe(REDACTED);
  });

  it.each(['api.key', 'api__key', '_token', 'a[api.key]', 'authorization2', 'openai-api-key'])(
    'named "%s" loses its value, as a field of that name does',
    (header) => {
      expect(redactedHeader(header, 'abcdefgh')).toBe(REDACTED);
    },
  );

  it('with an address loses the secret parameters of it', () => {
    expect(redactedHeader('referer', 'https://a.test/p?page=2&token=abcdefgh')).toBe(
      `https://a.test/p?page=2&token=${REDACTED}`,
    );
    expect(redactedHeader('accept', 'text/html;q=0.9, */*;q=0.8')).toBe('text/html;q=0.9, */*;q=0.8');
  });

  it('with another name loses only the API keys and tokens in it', () => {
    expect(redactedHeader('user-agent', 'curl/8 svc_key_0123abcd end')).toBe(`curl/8 ${REDACTED} end`);
    expect(redactedHeader('x-note', 'svc_test_My_test.worker-7/a:b end')).toBe(`${REDACTED} end`);
    expect(redactedHeader('x-note', 'is svc_control_0123abcd.')).toBe(`is ${REDACTED}.`);
    expect(withoutSecrets('/a/eyJhbGciOi.eyJzdWIiOi.c2lnbmF0/b')).toBe(`/a/${REDACTED}/b`);
  });
});
