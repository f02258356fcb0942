import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { databaseAddresses } from '#base/database-address';
import type { Settings } from '#base/settings';
import { singleClient } from '#database/single-client';
import { IS_READ_ONLY } from '#database/unusable-database';
import { fail, type Finding, ok, warn } from './finding.js';

const ANSWERS_WITHIN_MS = 3_000;

/** Whether exactly one of several servers can be written. Undefined if DATABASE_URL names a single one. */
export async function checkServers(databaseUrl: string): Promise<Finding | undefined> {
  const addresses = databaseAddresses(databaseUrl);
  if (addresses.length < 2) return undefined;
  const answers = await Promise.all(addresses.map(roleOf));
  const detail = answers.map(({ host, says }) => `${host} ${says}`).join('; ');
  // Two names, or two proxies, may lead to one server.
  const primaries = new Set(answers.flatMap(({ primary }) => primary ?? []));
  if (primaries.size > 1) {
    const advice = 'Stop the old primary at once: what is written to it is lost. Compare the two before you remove it.';
    return fail('servers', `${primaries.size} primaries: ${detail}`, advice);
  }
  if (primaries.size === 0) return fail('servers', `no primary: ${detail}`, 'Promote a standby.');
  if (answers.every(({ answered }) => answered)) return ok('servers', detail);
  return warn('servers', detail, 'Start it, or take it out of DATABASE_URL.');
}

type Role = Readonly<{ host: string; says: string; answered: boolean; primary?: string }>;

async function roleOf(address: URL): Promise<Role> {
  const { host } = address;
  try {
    const { read_only: isReadOnly, server } = await askServer(address.href, async (client) => {
      const { rows } = await client.query<{ read_only: boolean; server: string }>(ROLE);
      return rows[0] as { read_only: boolean; server: string };
    });
    if (isReadOnly) return { host, says: 'is a standby', answered: true };
    return { host, says: 'can be written', answered: true, primary: server };
  } catch (error) {
    return { host, says: `does not answer: ${(error as Error).message}`, answered: false };
  }
}

// No two servers started in the same microsecond.
const ROLE = `${IS_READ_ONLY}, pg_postmaster_start_time()::text as server`;

async function askServer<T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> {
  const timeouts = { connectionTimeoutMillis: ANSWERS_WITHIN_MS, query_timeout: ANSWERS_WITHIN_MS };
  const client = singleClient(url, 'willcall doctor', timeouts);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await ask(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const CATCHES_UP_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 50;

/** Whether the standby of DATABASE_REPLICA_URL soon has what the primary has. Its time alone says nothing while nobody writes. */
export async function checkReplica(primary: Pool, settings: Settings): Promise<Finding | undefined> {
  const { DATABASE_REPLICA_URL: url, READ_ONLY } = settings;
  if (url === undefined || READ_ONLY) return undefined;
  const { rows } = await primary.query<{ lsn: string; epoch: string | null }>(WRITTEN);
  const { lsn = '0/0', epoch = null } = rows[0] ?? {};
  const replayed = await askServer(url, (client) => untilReplayed(client, lsn)).catch((error: Error) => error);
  if (replayed instanceof Error) {
    const advice = 'Start it, or unset DATABASE_REPLICA_URL: reads go to the primary.';
    return warn('replica', `does not answer: ${replayed.message}`, advice);
  }
  if (!replayed.is_standby) {
    return fail('replica', 'the server of DATABASE_REPLICA_URL is no standby', 'Name a standby, or unset it.');
  }
  if (Number(replayed.behind) <= 0) {
    if (replayed.epoch === epoch) return ok('replica', 'has what the primary has');
    return fail('replica', 'it follows another database', 'Name a standby of DATABASE_URL in DATABASE_REPLICA_URL.');
  }
  const size = `${Math.ceil(Number(replayed.behind) / 1_024).toLocaleString('en-US')} KB`;
  const since = replayed.seconds === null ? '' : `; its newest change is ${replayed.seconds} s old`;
  const advice = 'Reads go to the primary until it has caught up: see its log, its disk, and pg_stat_replication.';
  return warn('replica', `still ${size} behind after ${CATCHES_UP_WITHIN_MS / 1_000} s${since}`, advice);
}

type Replayed = { is_standby: boolean; behind: string | null; seconds: number | null; epoch: string | null };

async function untilReplayed(client: Client, lsn: string): Promise<Replayed> {
  const deadline = performance.now() + CATCHES_UP_WITHIN_MS;
  for (;;) {
    const { rows } = await client.query<Replayed>(REPLAYED, [lsn]);
    const [replayed] = rows;
    if (!replayed) throw new Error('the standby does not say how far it is');
    if (!replayed.is_standby || Number(replayed.behind) <= 0 || performance.now() > deadline) return replayed;
    await sleep(LOOK_EVERY_MS);
  }
}

const WRITTEN = 'select pg_current_wal_lsn()::text as lsn, (select epoch from database_epoch) as epoch';

const REPLAYED = `
  select pg_is_in_recovery() as is_standby, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()) as behind,
    round(extract(epoch from now() - pg_last_xact_replay_timestamp()))::int as seconds, (select epoch from database_epoch) as epoch`;
