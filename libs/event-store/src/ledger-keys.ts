import type { ClientBase, Pool } from 'pg';
import { LedgerKey, LedgerKeys } from './hash-chain.js';
import { type Sealer, UnsealError } from '#base/sealing';

/** What binds a key to its row. */
export const ledgerKeyContext = (id: string): string => `ledger_keys/${id}`;

/**
 * Keeps the present key of the ledger, and those of earlier ENCRYPTION_KEYs that are known, sealed. So when ENCRYPTION_KEY changes, the log's
 * older hashes can still be checked.
 */
export async function storeLedgerKeys(db: Pool | ClientBase, sealer: Sealer): Promise<void> {
  const text =
    'insert into ledger_keys (id, sealed) values ($1, $2) on conflict (id) do update set sealed = excluded.sealed';
  for (const { id, secret } of sealer.ledgerSecrets.map((one) => new LedgerKey(one))) {
    await db.query(text, [id, sealer.seal('ledger-key', ledgerKeyContext(id), secret)]);
  }
}

/** Without those that do not open. What they signed is then signed with an unknown key. */
export async function loadLedgerKeys(db: Pool | ClientBase, sealer: Sealer): Promise<LedgerKeys> {
  const { rows } = await db.query<{ id: string; sealed: Buffer }>('select id, sealed from ledger_keys');
  return new LedgerKeys([
    ...sealer.ledgerSecrets.map((one) => new LedgerKey(one)),
    ...rows.flatMap((row) => opened(row, sealer)),
  ]);
}

function opened({ id, sealed }: { id: string; sealed: Buffer }, sealer: Sealer): LedgerKey[] {
  try {
    return [new LedgerKey(sealer.open('ledger-key', ledgerKeyContext(id), sealed))];
  } catch (error) {
    if (error instanceof UnsealError) return [];
    throw error;
  }
}
