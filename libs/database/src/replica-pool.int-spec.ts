import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerPool } from '../../../test/support/database.js';
import { createReplicatedCluster, type ReplicatedCluster } from '../../../test/support/replicated-cluster.js';
import { until } from '../../../test/support/until.js';
import { ReplicaPool } from './replica-pool.js';

describe('A read from a replica', () => {
  let cluster: ReplicatedCluster;
  let primary: Pool;
  let replica: Pool;
  let reads: ReplicaPool;
  beforeAll(async () => {
    cluster = await createReplicatedCluster();
    [primary, replica] = [ownerPool(cluster.primary.url), ownerPool(cluster.standby.url)];
    reads = new ReplicaPool(primary, replica);
    await primary.query('create table written (number int); select current_epoch()');
  });
  afterAll(async () => {
    await Promise.all([primary?.end(), replica?.end()]);
    await cluster?.remove();
  });

  /** The numbers that a read sees, and the port of the server that was asked. */
  async function seen() {
    const { rows } = await reads.query<{ numbers: number[] | null; port: number }>(
      'select array_agg(number order by number) as numbers, inet_server_port() as port from written',
    );
    return rows[0];
  }
  const write = (number: number) => primary.query('insert into written values ($1)', [number]);
  const fromReplica = () => until(async () => (await seen())?.port === cluster.standby.port);

  it('sees all that was committed before, each time', async () => {
    await fromReplica();
    for (let number = 1; number <= 50; number += 1) {
      await write(number);
      expect((await seen())?.numbers).toHaveLength(number);
    }
  });

  it('comes from the primary while the replica lags behind, and from the replica again afterwards', async () => {
    await fromReplica();
    await primary.query(`alter system set synchronous_standby_names = ''`);
    await primary.query('select pg_reload_conf()');
    await until(
      async () => (await primary.query('show synchronous_standby_names')).rows[0].synchronous_standby_names === '',
    );
    await replica.query('select pg_wal_replay_pause()');
    await until(
      async () => (await replica.query('select pg_get_wal_replay_pause_state() as is')).rows[0].is === 'paused',
    );
    await write(51);
    const { port, numbers } = (await seen()) ?? {};
    expect([port, numbers?.length]).toEqual([cluster.primary.port, 51]);
    await replica.query('select pg_wal_replay_resume()');
    await fromReplica();
    expect((await seen())?.numbers).toHaveLength(51);
  });

  it('comes from the primary if the replica belongs to another life of the database', async () => {
    const stranger = new ReplicaPool(
      {
        query: ((text: string) =>
          primary.query(text.replace('epoch from database_epoch', `'another' as epoch`))) as Pool['query'],
      },
      replica,
    );
    const { rows } = await stranger.query<{ port: number }>('select inet_server_port() as port');
    expect(rows[0]?.port).toBe(cluster.primary.port);
  });

  it('comes from the primary if the replica is down', async () => {
    cluster.standby.kill();
    await cluster.standby.exited;
    await write(52);
    const { port, numbers } = (await seen()) ?? {};
    expect([port, numbers?.length]).toEqual([cluster.primary.port, 52]);
  });
});
