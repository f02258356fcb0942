import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { apiEnvironment } from '../../../../test/support/api-environment.js';
import { ownerPool } from '../../../../test/support/database.js';
import { quietPort } from '../../../../test/support/quiet-port.js';
import { createReplicatedCluster, type ReplicatedCluster } from '../../../../test/support/replicated-cluster.js';
import { until } from '../../../../test/support/until.js';
import { checkReplica, checkServers } from './server-roles.js';

describe('servers of one database', () => {
  let cluster: ReplicatedCluster;
  let primary: Pool;
  let standby: Pool;
  beforeAll(async () => {
    cluster = await createReplicatedCluster();
    [primary, standby] = [ownerPool(cluster.primary.url), ownerPool(cluster.standby.url)];
    await primary.query('create table written (text text); select current_epoch()');
  });
  afterAll(async () => {
    await Promise.all([primary?.end(), standby?.end()]);
    await cluster?.remove();
  });

  const addressOf = (...servers: readonly string[]) =>
    cluster.primary.url.replace(new URL(cluster.primary.url).host, servers.join(','));
  const hosts = () => [cluster.primary.url, cluster.standby.url].map((url) => new URL(url).host) as [string, string];
  const replica = (url: string) =>
    checkReplica(primary, parseSettings({ ...apiEnvironment(cluster.primary.url), DATABASE_REPLICA_URL: url }));

  it('are not asked where there is only one, and no replica where none is named', async () => {
    expect(await checkServers(cluster.primary.url)).toBeUndefined();
    expect(await checkReplica(primary, parseSettings(apiEnvironment(cluster.primary.url)))).toBeUndefined();
  });

  it('are a primary and a standby, which has what the primary has', async () => {
    const [one, other] = hosts();
    expect(await checkServers(cluster.url)).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(`^${other} is a standby; ${one} can be written$`) as string,
    });
    await until(async () => (await replica(cluster.standby.url))?.state === 'ok');
  });

  it('may have two names for one primary', async () => {
    const [one] = hosts();
    const again = one.replace('127.0.0.1', 'localhost');
    expect(again).not.toBe(one);
    expect((await checkServers(addressOf(one, again)))?.state).toBe('ok');
  });

  it('are named when they do not answer, or cannot be written', async () => {
    const [one, other] = hosts();
    const nobody = `127.0.0.1:${await quietPort()}`;
    expect(await checkServers(addressOf(one, nobody))).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining(`${nobody} does not answer`) as string,
    });
    expect((await checkServers(addressOf(other, nobody)))?.state).toBe('fail');
    expect(await replica(addressOf(nobody))).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('does not answer') as string,
    });
  });

  it('are no replica that lags behind', async () => {
    await standby.query('select pg_wal_replay_pause()');
    await until(
      async () => (await standby.query('select pg_get_wal_replay_pause_state() as is')).rows[0].is === 'paused',
    );
    await primary.query(`insert into written select repeat('x', 2000) from generate_series(1, 1000)`);
    expect(await replica(cluster.standby.url)).toMatchObject({
      state: 'warn',
      detail: expect.stringMatching(
        /^still [2-9],\d{3} KB behind after 2 s; its newest change is \d+ s old$/,
      ) as string,
    });
    await standby.query('select pg_wal_replay_resume()');
    await until(async () => (await replica(cluster.standby.url))?.state === 'ok');
  });

  it('are no replica that can be written', async () => {
    expect((await replica(cluster.primary.url))?.state).toBe('fail');
  });

  it('are never two primaries', async () => {
    await standby.query('select pg_promote()');
    expect(await checkServers(cluster.url)).toMatchObject({
      state: 'fail',
      detail: expect.stringMatching(/^2 primaries: /) as string,
    });
  });
});
