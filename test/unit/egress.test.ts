// Which addresses `--webhook-targets` lets webhooks reach, over every way to write an IPv4 address into an IPv6 one:
// `interface.md` sections 1 and 6.
import type { LookupAddress } from 'node:dns';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPublicUrl } from '../../src/public-url.ts';
import { Egress, readTargets, urlProblem, type WebhookTargets } from '../../src/webhooks/egress.ts';
import { lookupFor } from '../../src/webhooks/transport.ts';
import { neverReached, notPublic } from '../webhooks/egress-setup.ts';

const targets = (text: string): WebhookTargets => {
  const read = readTargets(text);
  if (read === undefined) throw new Error(`${text} is malformed`);
  return read;
};

const reaches = (setting: string, address: string, host = address): boolean =>
  new Egress(targets(setting)).refusalOf(host, address, 443) === undefined;

type Octets = readonly [number, number, number, number];
const hex = (...bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** How an IPv4 address is written into an IPv6 one, by technique; `x` is any 16 bits. */
const embeddings: readonly [string, (octets: Octets, x: string) => string][] = [
  ['IPv4-mapped', ([a, b, c, d]) => `::ffff:${hex(a, b)}:${hex(c, d)}`],
  ['IPv4-mapped, dotted', (octets) => `::ffff:${octets.join('.')}`],
  ['IPv4-compatible', ([a, b, c, d]) => `::${hex(a, b)}:${hex(c, d)}`],
  ['IPv4-translated (SIIT)', ([a, b, c, d]) => `::ffff:0:${hex(a, b)}:${hex(c, d)}`],
  ['NAT64', ([a, b, c, d]) => `64:ff9b::${hex(a, b)}:${hex(c, d)}`],
  [
    'local NAT64 with a prefix of 48 bits',
    ([a, b, c, d], x) => `64:ff9b:1:${hex(a, b)}:${hex(0, c)}:${hex(d, 0)}:0:${x}`,
  ],
  ['local NAT64 with a prefix of 56 bits', ([a, b, c, d]) => `64:ff9b:1:${hex(7, a)}:${hex(0, b)}:${hex(c, d)}::`],
  [
    'local NAT64 with a prefix of 64 bits',
    ([a, b, c, d], x) => `64:ff9b:1:${x}:${hex(0, a)}:${hex(b, c)}:${hex(d, 0)}:0`,
  ],
  ['local NAT64 with a prefix of 96 bits', ([a, b, c, d], x) => `64:ff9b:1:${x}:0:${x}:${hex(a, b)}:${hex(c, d)}`],
  ['6to4', ([a, b, c, d], x) => `2002:${hex(a, b)}:${hex(c, d)}:${x}::1`],
  ['Teredo, as the server', ([a, b, c, d], x) => `2001:0:${hex(a, b)}:${hex(c, d)}:${x}:${x}:f7f7:f7f7`],
  [
    'Teredo, as the client',
    ([a, b, c, d]) => `2001:0:808:808:8000:63bf:${hex(a ^ 255, b ^ 255)}:${hex(c ^ 255, d ^ 255)}`,
  ],
  ['ISATAP', ([a, b, c, d], x) => `2001:470:1f0b:${x}:0:5efe:${hex(a, b)}:${hex(c, d)}`],
  ['ISATAP with a public address', ([a, b, c, d], x) => `2001:470:1f0b:${x}:200:5efe:${hex(a, b)}:${hex(c, d)}`],
];

const octet = fc.integer({ min: 0, max: 255 });
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const never: fc.Arbitrary<Octets> = fc.oneof(
  fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
  fc.constantFrom<Octets>(
    [100, 100, 100, 200],
    [168, 63, 129, 16],
    [192, 0, 0, 192],
    [100, 96, 0, 96],
    [100, 80, 80, 80],
  ),
);
const unpublic: fc.Arbitrary<Octets> = fc.oneof(
  never,
  fc.tuple(fc.constantFrom(0, 10, 127, 224, 240, 255), octet, octet, octet),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
  fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
);

describe('an IPv4 address inside an IPv6 one', () => {
  it.each(embeddings)('is refused like the address itself: %s', (_, embed) => {
    fc.assert(
      fc.property(never, group, (octets, x) => {
        const address = embed(octets, x);
        for (const setting of ['private', 'public', 'hooks.example.test', '0.0.0.0/0,::/0']) {
          expect(reaches(setting, address, 'hooks.example.test'), `${setting} ${address}`).toBe(false);
        }
      }),
      { numRuns: 40 },
    );
    fc.assert(
      fc.property(unpublic, group, (octets, x) => {
        expect(reaches('public', embed(octets, x))).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it('does not make every other IPv6 address look like one', () => {
    for (const address of ['2606:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:80b::200e', '64:ff9b::808:808']) {
      expect(reaches('private', address)).toBe(true);
      expect(reaches('public', address)).toBe(true);
    }
    expect(reaches('private', 'fd12:3456:789a::1')).toBe(true);
    expect(reaches('private', '::1')).toBe(true);
    expect(reaches('private', '2001:0:808:808:0:0:f7f7:f7f7')).toBe(true);
  });
});

describe('a link-local or metadata address', () => {
  const names: readonly [string, string][] = [
    ['169.254.169.254', '169.254.0.0/16'],
    ['169.254.170.2', '169.254.170.2'],
    ['::ffff:169.254.170.2', '::ffff:169.254.0.0/112'],
    ['64:ff9b::a9fe:a9fe', '64:ff9b::/96,169.254.169.254/32'],
    ['fe80::a9fe:a9fe', 'fe80::/10'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['100.100.100.200', '100.100.100.200'],
    ['168.63.129.16', '168.63.129.16/32'],
    ['fd00:ec2::254', 'fd00:ec2::/32'],
    ['fd00:ec2::254', 'fd00:ec2::254'],
  ];

  it.each(names)('%s is reached where the list has a range of it (%s)', (address, list) => {
    expect(reaches(list, address, 'metadata')).toBe(true);
    expect(reaches(`metadata,${list}`, address, 'metadata')).toBe(true);
  });

  const wide = 'metadata,0.0.0.0/0,::/0,100.64.0.0/10,169.0.0.0/8,168.63.0.0/16,fd00::/8,64:ff9b::/96,fc00::/7';
  it.each(names)('%s is not reached by its host or a wider range', (address) => {
    expect(reaches('metadata', address, 'metadata')).toBe(false);
    expect(reaches(wide, address, 'metadata')).toBe(false);
  });

  it('is refused by every preset, in the tables of the egress tests', () => {
    const canonical = ([, host]: [string, string]): string =>
      new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
    for (const address of neverReached.map(canonical)) {
      for (const setting of ['private', 'public', 'elsewhere']) expect(reaches(setting, address), address).toBe(false);
    }
    for (const address of notPublic.map(canonical)) expect(reaches('public', address), address).toBe(false);
  });
});

describe('a host of the list', () => {
  it('may have any other address, public or not, and may be written with a dot at its end', () => {
    for (const address of ['127.0.0.1', '10.0.0.1', '::1', 'fd12::1', '8.8.8.8', '64:ff9b::a00:1', '100.64.0.1']) {
      expect(reaches('backend', address, 'backend'), address).toBe(true);
      expect(reaches('backend', address, 'Backend.')).toBe(true);
      expect(reaches('backend', address, 'other')).toBe(false);
    }
  });

  it('does not open a translated address through the range of one IPv4 address inside it', () => {
    expect(reaches('10.0.0.0/8', '64:ff9b::a00:1')).toBe(true);
    expect(reaches('10.0.0.0/8', '2001:0:a00:1:0:0:f7f7:f7f7')).toBe(false);
  });
});

describe('an ISATAP address, which any network can have', () => {
  it('is in a list only by itself, and is refused for the address inside it', () => {
    expect(reaches('10.0.0.0/8', '2600::5efe:a00:1')).toBe(false);
    expect(reaches('2600::/16', '2600::5efe:a00:1')).toBe(true);
    expect(reaches('2600::/16', '2600::5efe:a9fe:a9fe')).toBe(false);
  });

  it('does not make plain HTTP private', () => {
    expect(urlProblem('http://[fd00::5efe:a00:1]/', 'private')).toBeUndefined();
    expect(urlProblem('http://[2600::5efe:a00:1]/', 'private')).toContain('must be an HTTPS URL');
  });
});

describe('the addresses of a name', () => {
  const dialed = (addresses: readonly LookupAddress[], setting = 'private'): Promise<string> =>
    new Promise((resolve) => {
      const lookup = lookupFor(443, new Egress(targets(setting)), async () => addresses);
      lookup('hooks.example.test', { all: true }, (error, found) => {
        resolve(error ? error.message : (found as LookupAddress[]).map(({ address }) => address).join());
      });
    });

  it('are checked when they are dialed: those that may not be reached are left out', async () => {
    const good = { address: '8.8.8.8', family: 4 };
    const metadata = { address: '::ffff:0:a9fe:a9fe', family: 6 };
    expect(await dialed([metadata, good])).toBe('8.8.8.8');
    expect(await dialed([good, { address: '127.0.0.1', family: 4 }], 'public')).toBe('8.8.8.8');
    expect(await dialed([metadata])).toContain('::ffff:0:a9fe:a9fe is a link-local or cloud metadata address');
    expect(await dialed([metadata], 'hooks.example.test')).toContain('only a range of its own');
    expect(await dialed([])).toContain('has no address');
  });

  it('may change between two look-ups: each is checked', async () => {
    const answers = [['8.8.8.8'], ['169.254.169.254']].map((list) => list.map((address) => ({ address, family: 4 })));
    const outcomes: string[] = [];
    for (const answer of answers) outcomes.push(await dialed(answer, 'public'));
    expect(outcomes).toEqual(['8.8.8.8', expect.stringContaining('is not a public address')]);
  });
});

describe('the public address of the server', () => {
  it('is refused by its name with and without a dot at its end, but for inboxes', () => {
    const egress = new Egress('private', readPublicUrl('https://sandbox.example.test:8443/voice'));
    for (const host of ['sandbox.example.test:8443', 'sandbox.example.test.:8443']) {
      const refusalOf = (path: string) => egress.refusalOfUrl(new URL(`https://${host}${path}`))?.code;
      expect(refusalOf('/voice/v1/calls/dial'), host).toBe('BLOCKED_ADDRESS');
      expect(refusalOf('/voice/_sandbox/inbox/in'), host).toBeUndefined();
      expect(refusalOf('/other'), host).toBeUndefined();
    }
  });
});
