import type { ClientBase, Pool } from 'pg';
import { LedgerKey, LedgerKeys } from '../hash-chain.js';
import { type Sealer, UnsealError } from '#crypto/sealing';

const context = (id: string) => `ledger_keys/${id}`;

/**
 * Keeps the present key of the ledger, sealed. It is derived from ENCRYPTION_KEY; when that changes, the log's older hashes can still be
 * checked.
 */
export async function storeLedgerKey(client: ClientBase, sealer: Sealer): Promise<void> {
  const { id, secret } = new LedgerKey(sealer.ledgerSecret);
  const values = [id, sealer.seal('ledger-key', context(id), secret)];
  const text =
    'insert into ledger_keys (id, sealed) values ($1, $2) on conflict (id) do update set sealed = excluded.sealed';
  await client.query(text, values);
}

/** Without those that do not open. What they signed is then signed with an unknown key. */
export async function loadLedgerKeys(db: Pool | ClientBase, sealer: Sealer): Promise<LedgerKeys> {
  const { rows } = await db.query<{ id: string; sealed: Buffer }>('select id, sealed from ledger_keys');
  return new LedgerKeys([new LedgerKey(sealer.ledgerSecret), ...rows.flatMap((row) => opened(row, sealer))]);
}

function opened({ id, sealed }: { id: string; sealed: Buffer }, sealer: Sealer): LedgerKey[] {
  try {
    return [new LedgerKey(sealer.open('ledger-key', context(id), sealed))];
  } catch (error) {
    if (error instanceof UnsealError) return [];
    throw error;
  }
}
