import { describe, expect, it } from 'vitest';
import { type Durability, standbysFinding } from './replication-checks.js';

const SAFE: Durability = {
  synchronous_commit: 'on',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_standby_names: 'db2',
  standbys: 1,
};
const ALONE = { synchronous_standby_names: '', standbys: 0 };

describe('standbys', () => {
  it.each<[Partial<Durability>, string]>([
    [{}, 'ok'],
    [{ synchronous_commit: 'remote_apply' }, 'ok'],
    [{ synchronous_commit: 'remote_write' }, 'fail'],
    [{ synchronous_commit: 'local' }, 'fail'],
    [{ synchronous_commit: 'off' }, 'fail'],
    [{ synchronous_commit: 'local', synchronous_standby_names: '' }, 'fail'],
    [{ synchronous_standby_names: '' }, 'warn'],
    [ALONE, 'ok'],
    [{ ...ALONE, synchronous_commit: 'local' }, 'ok'],
    [{ ...ALONE, fsync: 'off' }, 'warn'],
    [{ ...ALONE, synchronous_commit: 'off' }, 'warn'],
    [{ synchronous_standby_names: 'FIRST 1 (a, b)' }, 'ok'],
    [{ synchronous_standby_names: 'ANY 1 (a)' }, 'ok'],
    [{ synchronous_standby_names: 'ANY 1 (a, b)' }, 'fail'],
    [{ synchronous_standby_names: 'any 2 (a, b, c)' }, 'ok'],
    [{ synchronous_standby_names: 'ANY 2 (a, b, c, d)' }, 'fail'],
    [{ synchronous_standby_names: 'ANY 1 (*)', standbys: 2 }, 'fail'],
    [{ synchronous_standby_names: 'ANY 2 (*)', standbys: 3 }, 'ok'],
  ])('under %j are %s', (change, state) => {
    expect(standbysFinding({ ...SAFE, ...change }).state).toBe(state);
  });

  it('of a quorum of one half get advice with a majority', () => {
    expect(standbysFinding({ ...SAFE, synchronous_standby_names: 'ANY 2 (a, b, c, d)' })).toMatchObject({
      detail: 'commits wait for 2 of 4 standbys, which is no majority',
      advice: expect.stringContaining('ANY 3') as string,
    });
  });
});
