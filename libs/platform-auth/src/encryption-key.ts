import type { Pool } from 'pg';
import { clientSecretPlace } from './clients.js';
import { CannotOpen, type Sealer } from '#crypto/sealing';

// One damaged value proves nothing about the key; a few that all stay shut do.
const SAMPLE_SIZE = 20;

/** ENCRYPTION_KEY is not the key that this database was sealed with. */
export class WrongEncryptionKey extends Error {
  constructor(given: string, recorded: string | undefined) {
    const expected = recorded === undefined ? 'what it holds does not open' : `it needs ${recorded}`;
    super(
      `ENCRYPTION_KEY (fingerprint ${given}) is not the key that this database was sealed with (${expected}). ` +
        'Set the right key, or put back the secrets.json that belongs to this database.',
    );
    this.name = 'WrongEncryptionKey';
  }
}

/** The fingerprint of the key that the database was sealed with; undefined before the first start. */
export async function recordedFingerprint(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ fingerprint: string }>('select fingerprint from encryption_key');
  return rows[0]?.fingerprint;
}

/**
 * Checks that the database was sealed with this key. Databases of earlier releases have no fingerprint yet: there the key
 * must open what they hold.
 * @throws WrongEncryptionKey
 */
export async function checkEncryptionKey(pool: Pool, sealer: Sealer): Promise<void> {
  const recorded = await recordedFingerprint(pool);
  const isRight = recorded === undefined ? await opensSamples(pool, sealer) : recorded === sealer.fingerprint;
  if (!isRight) throw new WrongEncryptionKey(sealer.fingerprint, recorded);
}

/**
 * The same, and records the fingerprint where there is none. Of several processes with different keys one wins.
 * @throws WrongEncryptionKey
 */
export async function adoptEncryptionKey(pool: Pool, sealer: Sealer): Promise<void> {
  await checkEncryptionKey(pool, sealer);
  // So that a process starts on a standby too, which refuses even an insertion that would change nothing.
  if ((await recordedFingerprint(pool)) !== undefined) return await checkEncryptionKey(pool, sealer);
  const record = 'insert into encryption_key (fingerprint) values ($1) on conflict do nothing';
  const { rowCount } = await pool.query(record, [sealer.fingerprint]);
  if (rowCount === 0) await checkEncryptionKey(pool, sealer);
}

/** True when something opens, or when nothing is sealed yet. */
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
      (row) => () => sealer.open('client-secret', clientSecretPlace(row.client_id, row.id), row.secret),
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
    if (error instanceof CannotOpen) return false;
    throw error;
  }
}
