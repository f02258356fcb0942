import type { Client, Pool } from 'pg';
import { singleClient } from '#database/single-client';
import { fail, type Finding, ok, warn } from './finding.js';

export type Durability = Readonly<{
  synchronous_commit: string;
  fsync: string;
  full_page_writes: string;
  synchronous_standby_names: string;
  /** How many follow at present. */
  standbys: number;
}>;

/** Whether an answered purchase outlives a crash of the server and, where there are standbys, the loss of it. */
export async function checkStandbys(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<Durability>(
    `select current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync,
       current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_standby_names') as synchronous_standby_names,
       (select count(*)::int from pg_stat_replication) as standbys`,
  );
  const [durability] = rows;
  return durability ? standbysFinding(durability) : fail('standbys', 'the server does not say', 'Ask it by hand.');
}

export function standbysFinding(durability: Durability): Finding {
  const { synchronous_commit: commit, synchronous_standby_names: names, standbys } = durability;
  const off = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter(
    (name) => durability[name] === 'off',
  );
  if (standbys === 0 && names === '') {
    if (off.length === 0) return ok('standbys', `no standby; commits wait for the disk`);
    return warn(
      'standbys',
      `a crash of the server loses purchases: ${off.join(', ')} off`,
      `Set ${off.join(', ')} to on.`,
    );
  }
  if (!['on', 'remote_apply'].includes(commit)) {
    const detail = `a failover loses answered purchases: synchronous_commit is ${commit}`;
    return fail('standbys', detail, 'Set synchronous_commit to on, for the server and for the login.');
  }
  if (names === '') {
    const advice = 'Set synchronous_standby_names, or accept that a failover loses the newest purchases.';
    return warn('standbys', `commits do not wait for any of ${standbys} standbys`, advice);
  }
  return quorumFinding(names, standbys) ?? ok('standbys', `commits wait for standbys: ${names}`);
}

/** If half of the standbys are enough, the other half may be promoted without a purchase. */
function quorumFinding(names: string, standbys: number): Finding | undefined {
  const [, needed, list = ''] = /^\s*any\s+(\d+)\s*\((.*)\)\s*$/i.exec(names) ?? [];
  if (needed === undefined) return undefined;
  const all = list.trim() === '*' ? standbys : list.split(',').length;
  if (Number(needed) * 2 > all) return undefined;
  const advice = `Set ANY ${Math.floor(all / 2) + 1} (…), so that two halves cannot go on without each other.`;
  return fail('standbys', `commits wait for ${needed} of ${all} standbys, which is no majority`, advice);
}

/** Whether a pooler gives the server's session to others between two transactions. Asks with two connections of its own. */
export async function checkPooler(databaseUrl: string): Promise<Finding> {
  const clients = [singleClient(databaseUrl, 'willcall doctor'), singleClient(databaseUrl, 'willcall doctor')] as const;
  for (const client of clients) client.on('error', () => undefined);
  try {
    for (const client of clients) await client.connect();
    return (await shareSession(...clients))
      ? fail(
          'pooler',
          'a pooler in transaction mode is before the server: two workers could do the same work',
          'Connect to the server itself, or set pool_mode=session for this database.',
        )
      : ok('pooler', 'each connection has a session of its own');
  } finally {
    for (const client of clients) await client.end().catch(() => undefined);
  }
}

const TIMES = 5;

/** A pooler in transaction mode gives the session that became free last to whoever asks next. */
async function shareSession(one: Client, other: Client): Promise<boolean> {
  const sessions = { one: new Set<number>(), other: new Set<number>() };
  for (let time = 0; time < TIMES; time += 1) {
    sessions.one.add(await sessionOf(one));
    sessions.other.add(await sessionOf(other));
  }
  return [...sessions.one].some((session) => sessions.other.has(session));
}

async function sessionOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
