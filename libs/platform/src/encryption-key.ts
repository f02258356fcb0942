import type { Pool } from 'pg';
import { UnsealError, type Sealer } from '#base/sealing';
import { lockKey } from '#database/advisory-lock';
import { poolOnlyReads } from '#database/session';
import { isReadOnlyError } from '#database/unusable-database';
import { inTransaction } from '#database/transaction';

// One damaged value proves nothing about the key. Several values that all fail to open do.
const SAMPLE_SIZE = 20;

/** What a client's secret is sealed for. */
export function clientSecretContext(clientId: string, secretId: string): string {
  return `clients/${clientId}/secrets/${secretId}`;
}

export class WrongEncryptionKey extends Error {
  constructor(given: string, recorded: readonly string[]) {
    const expected = recorded.length === 0 ? 'it does not open the stored data' : `expected ${recorded.join(' and ')}`;
    super(
      `ENCRYPTION_KEY (fingerprint ${given}) is not the key that this database was sealed with (${expected}). ` +
        'Set the right key, or restore the secrets.json that belongs to this database. While the key changes, ' +
        'ENCRYPTION_KEY_PREVIOUS must have the others.',
    );
    this.name = 'WrongEncryptionKey';
  }
}

/** The fingerprints of the keys that values may be sealed with: one, or several while the key changes. */
export async function recordedFingerprints(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ fingerprint: string }>(
    'select fingerprint from encryption_keys where retired_at is null order by recorded_at',
  );
  return rows.map(({ fingerprint }) => fingerprint);
}

/** If an earlier release recorded no fingerprint, the key must open some of the stored data. @throws WrongEncryptionKey */
export async function checkEncryptionKey(pool: Pool, sealer: Sealer): Promise<void> {
  const recorded = await recordedFingerprints(pool);
  const isRight = recorded.length === 0 ? await opensSamples(pool, sealer) : recorded.every(isKnownTo(sealer));
  if (!isRight) throw new WrongEncryptionKey(sealer.fingerprint, recorded);
}

/** Another process has retired the key that this one seals with. */
export class RetiredEncryptionKey extends Error {
  constructor(fingerprint: string) {
    super(
      `ENCRYPTION_KEY (fingerprint ${fingerprint}) was retired: everything is sealed with a newer key. ` +
        'Set the newer key.',
    );
    this.name = 'RetiredEncryptionKey';
  }
}

/**
 * Says that this process seals with its current key, which keeps others from retiring it for five minutes. Call it once a minute.
 * @throws RetiredEncryptionKey
 */
export async function reportUsedKey(pool: Pool, { fingerprint }: Pick<Sealer, 'fingerprint'>): Promise<void> {
  const { rows } = await pool
    .query<{ retired: boolean }>(poolOnlyReads(pool) ? IS_RETIRED : REPORT_USED, [fingerprint])
    .catch((error: unknown) => {
      // A standby. Nobody can retire a key there either.
      if (isReadOnlyError(error)) return { rows: [] };
      throw error;
    });
  if (rows[0]?.retired) throw new RetiredEncryptionKey(fingerprint);
}

const IS_RETIRED = 'select retired_at is not null as retired from encryption_keys where fingerprint = $1';

// Many processes need not all write.
const REPORT_USED = `
  with used as (
    update encryption_keys set used_at = now()
    where fingerprint = $1 and retired_at is null and (used_at is null or used_at < now() - interval '20 seconds'))
  ${IS_RETIRED}`;

/**
 * Also records the fingerprint of the current key. If processes race with keys that do not open each other's values, one wins.
 * @throws WrongEncryptionKey
 */
export async function adoptEncryptionKey(pool: Pool, sealer: Sealer): Promise<void> {
  await checkEncryptionKey(pool, sealer);
  // A process must also start on a standby, which rejects even an insert that would change nothing.
  if (poolOnlyReads(pool) || (await recordedFingerprints(pool)).includes(sealer.fingerprint))
    return reportUsedKey(pool, sealer);
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [lockKey('encryption-key')]);
    await client.query(RECORD, [sealer.fingerprint, sealer.fingerprints]);
  });
  await checkEncryptionKey(pool, sealer);
}

// Only if this process can open what others may have sealed meanwhile.
const RECORD = `
  insert into encryption_keys (fingerprint, used_at) select $1, now()
  where not exists (select from encryption_keys where retired_at is null and fingerprint <> all($2))
  on conflict (fingerprint) do update set retired_at = null, used_at = excluded.used_at`;

/**
 * Call this when nothing is sealed with the earlier keys any more. Keeps a key that a process used in the last five minutes, by the clock of the
 * database. Returns the fingerprints of those that were still needed until now.
 */
export async function retireEarlierKeys(pool: Pool, sealer: Sealer): Promise<readonly string[]> {
  const { rows } = await pool.query<{ fingerprint: string }>(
    `update encryption_keys set retired_at = now() where retired_at is null and fingerprint <> $1
       and coalesce(used_at, recorded_at) < now() - interval '5 minutes' returning fingerprint`,
    [sealer.fingerprint],
  );
  return rows.map(({ fingerprint }) => fingerprint);
}

const isKnownTo = (sealer: Sealer) => (fingerprint: string) => sealer.fingerprints.includes(fingerprint);

async function opensSamples(pool: Pool, sealer: Sealer): Promise<boolean> {
  const [secrets, orders] = await Promise.all([
    pool.query<{ client_id: string; id: string; secret: Buffer }>(
      `select client_id, id, secret from client_secrets limit ${SAMPLE_SIZE}`,
    ),
    pool.query<{ id: string; personal: Buffer; key: Buffer }>(
      `select o.id, o.personal, k.key from personal_data_keys k join orders o on o.id = k.order_id
       where o.personal is not null limit ${SAMPLE_SIZE}`,
    ),
  ]);
  const attempts = [
    ...secrets.rows.map(
      (row) => () => sealer.open('client-secret', clientSecretContext(row.client_id, row.id), row.secret),
    ),
    ...orders.rows.map(
      ({ id, key, personal }) =>
        () =>
          sealer.openPersonal(id, key, personal),
    ),
  ];
  return attempts.length === 0 || attempts.some(opens);
}

function opens(open: () => unknown): boolean {
  try {
    open();
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
}
