import { describe, expect, it } from 'vitest';
import { redisAddress } from './redis-address.js';

describe('an address of Redis', () => {
  it('may be that of one server, which stays as it is', () => {
    const url = 'rediss://user:secret@redis.example:6380/2';
    expect(redisAddress(url)).toEqual({ kind: 'server', url });
  });

  it('may name Sentinels, the master they watch, and both logins', () => {
    const address =
      'rediss+sentinel://app:p%40ss%3A@one.example:26380,10.0.0.2,[::1]:5/tickets/3?sentinel_username=watch&sentinel_password=a%26b';
    expect(redisAddress(address)).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'one.example', port: 26_380 },
        { host: '10.0.0.2', port: 26_379 },
        { host: '::1', port: 5 },
      ],
      master: 'tickets',
      db: 3,
      tls: true,
      login: { username: 'app', password: 'p@ss:' },
      sentinelLogin: { username: 'watch', password: 'a&b' },
    });
  });

  it('needs no login, and takes a password alone', () => {
    expect(redisAddress('redis+sentinel://a/main')).toMatchObject({ tls: false, login: {}, sentinelLogin: {}, db: 0 });
    expect(redisAddress('redis+cluster://:secret@a')).toMatchObject({ login: { password: 'secret' } });
    expect(redisAddress('redis+sentinel://a/main?sentinel_password=w')).toMatchObject({
      sentinelLogin: { password: 'w' },
    });
  });

  it('may name nodes of a cluster', () => {
    expect(redisAddress('redis+cluster://a:7000,b/')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 7_000 },
        { host: 'b', port: 6_379 },
      ],
      tls: false,
      login: {},
    });
  });

  it.each([
    'http://localhost:6379',
    'localhost',
    'redis+sentinel://a,b',
    'redis+sentinel://a,b/',
    'redis+sentinel:///main',
    'redis+sentinel://a,,b/main',
    'redis+sentinel://a:0/main',
    'redis+sentinel://a:65536/main',
    'redis+sentinel://a b/main',
    'redis+sentinel://u:p:q@a/main',
    'redis+sentinel://%zz@a/main',
    'redis+sentinel://a/main?password=x',
    'redis+cluster://',
    'redis+cluster://a/1',
    'redis+cluster://a?x=y',
    'redis+other://a/main',
  ])('cannot be %s', (text) => {
    expect(redisAddress(text)).toBeUndefined();
  });
});
