import type { Pool } from 'pg';
import { clientSecretContext } from './clients.js';
import { UnsealError, type Sealer } from '#crypto/sealing';

// One damaged value proves nothing about the key. Several values that all fail to open do.
const SAMPLE_SIZE = 20;

export class WrongEncryptionKey extends Error {
  constructor(given: string, recorded: string | undefined) {
    const expected = recorded === undefined ? 'it does not open the stored data' : `expected ${recorded}`;
    super(
      `ENCRYPTION_KEY (fingerprint ${given}) is not the key that this database was sealed with (${expected}). ` +
        'Set the right key, or restore the secrets.json that belongs to this database.',
    );
    this.name = 'WrongEncryptionKey';
  }
}

export async function recordedFingerprint(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ fingerprint: string }>('select fingerprint from encryption_key');
  return rows[0]?.fingerprint;
}

/** If an earlier release recorded no fingerprint, the key must open some of the stored data. @throws WrongEncryptionKey */
export async function checkEncryptionKey(pool: Pool, sealer: Sealer): Promise<void> {
  const recorded = await recordedFingerprint(pool);
  const isRight = recorded === undefined ? await opensSamples(pool, sealer) : recorded === sealer.fingerprint;
  if (!isRight) throw new WrongEncryptionKey(sealer.fingerprint, recorded);
}

/** Also records the fingerprint if there is none. If processes with different keys race, one wins. @throws WrongEncryptionKey */
export async function adoptEncryptionKey(pool: Pool, sealer: Sealer): Promise<void> {
  await checkEncryptionKey(pool, sealer);
  // A process must also start on a standby, which rejects even an insert that would change nothing.
  if ((await recordedFingerprint(pool)) !== undefined) return await checkEncryptionKey(pool, sealer);
  const record = 'insert into encryption_key (fingerprint) values ($1) on conflict do nothing';
  const { rowCount } = await pool.query(record, [sealer.fingerprint]);
  if (rowCount === 0) await checkEncryptionKey(pool, sealer);
}

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
