import { describe, expect, it } from 'vitest';
import { healthOf } from './redis-health.js';

const info = (values: object) =>
  Object.entries({ redis_version: '8.0.2', maxmemory_policy: 'noeviction', aof_enabled: 1, role: 'master', ...values })
    .map(([name, value]) => `${name}:${value}\r\n`)
    .join('');

describe('the health of Redis', () => {
  it.each([
    [{}, 'ok', 'Redis 8.0.2, maxmemory-policy noeviction, append-only file'],
    [{ aof_enabled: 0 }, 'warn', 'Redis 8.0.2, maxmemory-policy noeviction, no append-only file'],
    [{ maxmemory_policy: 'allkeys-lru' }, 'fail', 'Redis 8.0.2, maxmemory-policy allkeys-lru, append-only file'],
    [{ cluster_enabled: 1 }, 'fail', 'Redis 8.0.2 is a node of a cluster'],
    [{ redis_mode: 'sentinel' }, 'fail', 'Redis 8.0.2 is a Sentinel'],
    [
      { role: 'slave', master_host: '10.0.0.7', master_port: 6379 },
      'fail',
      'Redis 8.0.2 is a replica of 10.0.0.7:6379 and takes no jobs',
    ],
  ])('with %j is %s', (values, state, detail) => {
    expect(healthOf(info(values))).toMatchObject({ state, detail });
  });

  it('names the masters of a cluster', () => {
    expect(healthOf(info({ cluster_enabled: 1 }), 3)).toEqual({
      state: 'ok',
      detail: 'Redis 8.0.2, cluster of 3 masters, maxmemory-policy noeviction, append-only file',
    });
  });
});
