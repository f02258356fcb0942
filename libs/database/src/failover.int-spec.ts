import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerPool } from '../../../test/support/database.js';
import { createReplicatedCluster, type ReplicatedCluster } from '../../../test/support/replicated-cluster.js';
import { until } from '../../../test/support/until.js';
import { DatabaseProbe } from './database-probe.js';
import { migrate } from './migrate.js';
import { connectionConfig } from './pool.js';
import { singleClient } from './single-client.js';

describe('With the addresses of a standby and its primary', () => {
  let cluster: ReplicatedCluster;
  let pool: Pool;
  beforeAll(async () => {
    cluster = await createReplicatedCluster();
    pool = ownerPool(cluster.url);
  });
  afterAll(async () => {
    await pool?.end();
    await cluster?.remove();
  });

  const PORT = 'select inet_server_port() as port';
  const portOfPool = async () => (await pool.query<{ port: number }>(PORT)).rows[0]?.port;

  async function portOfClient(): Promise<number | undefined> {
    const client = singleClient(cluster.url, 'test');
    await client.connect();
    const { rows } = await client.query<{ port: number }>(PORT);
    await client.end();
    return rows[0]?.port;
  }

  async function health(): Promise<string | undefined> {
    const probe = new DatabaseProbe(connectionConfig({ databaseUrl: cluster.url, applicationName: 'test' }));
    const reason = await probe.check();
    probe.end();
    return reason;
  }

  it('pools, single sessions, migrations and the health check use the primary', async () => {
    const { port } = cluster.primary;
    expect(await Promise.all([portOfPool(), portOfClient()])).toEqual([port, port]);
    expect(await migrate(cluster.url)).toEqual([]);
    expect(await health()).toBeUndefined();
  });

  it('says that there is no primary while the standby is not promoted', async () => {
    const { standby, primary } = cluster;
    await pool.query('create table written (at int)');
    primary.kill();
    await primary.exited;
    const ofStandby = new RegExp(`^None of the servers .* 127\\.0\\.0\\.1:${standby.port}: is a standby`);
    // The primary that was found last is asked once more.
    await until(async () => ofStandby.test((await health()) ?? ''));
    await expect(pool.query('insert into written values (1)')).rejects.toThrow();
    await expect(portOfClient()).rejects.toThrow(ofStandby);
  });

  it('goes on with the standby when it is promoted', async () => {
    await cluster.failOver();
    await until(() =>
      pool.query('insert into written values (2)').then(
        () => true,
        () => false,
      ),
    );
    const { port } = cluster.standby;
    expect(await Promise.all([portOfPool(), portOfClient()])).toEqual([port, port]);
    expect(await health()).toBeUndefined();
  });
});
