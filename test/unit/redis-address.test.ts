// Addresses of stores in Redis, as they are read: `docs/replicas.md`.
import { describe, expect, it } from 'vitest';
import { readRedisAddress } from '../../src/store/redis/address.ts';

const nobody = { username: null, password: null, isEncrypted: false };

describe('the address of a store in Redis', () => {
  it('is left to the client library where a server stands alone', () => {
    const address = 'rediss://robin:secret@host:6380/2';
    expect(readRedisAddress(address)).toEqual({ kind: 'server', address });
  });

  it('names Sentinels with their port or the usual one, the name of the primary, and a database', () => {
    expect(readRedisAddress('redis+sentinel://one:1,two/my%20primary/3')).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'one', port: 1 },
        { host: 'two', port: 26379 },
      ],
      name: 'my primary',
      database: 3,
      sentinelPassword: null,
      ...nobody,
    });
  });

  it('has the login of the servers, and the password of the Sentinels apart', () => {
    const address = 'rediss+sentinel://robin:a%3Ab@[::1]:7/primary?sentinel_password=c%26d';
    expect(readRedisAddress(address)).toEqual({
      kind: 'sentinel',
      sentinels: [{ host: '::1', port: 7 }],
      name: 'primary',
      database: 0,
      sentinelPassword: 'c&d',
      username: 'robin',
      password: 'a:b',
      isEncrypted: true,
    });
  });

  it('names nodes of a cluster, which has no databases', () => {
    const nodes = [
      { host: '127.0.0.1', port: 7000 },
      { host: 'other', port: 6379 },
    ];
    expect(readRedisAddress('redis+cluster://:pw@127.0.0.1:7000,other')).toEqual({
      kind: 'cluster',
      nodes,
      ...nobody,
      password: 'pw',
    });
    expect(readRedisAddress('redis+cluster://host/0')).toBeUndefined();
  });

  it.each([
    '',
    'host:6379',
    'redis+cluster://',
    'redis+cluster://a,,b',
    'redis+sentinel://a',
    'redis+sentinel://a/%zz',
  ])('is not %j', (text) => {
    expect(readRedisAddress(text)).toBeUndefined();
  });
});
