import type { Pool, PoolClient } from 'pg';
import { type Sealer, UnsealError } from '#base/sealing';
import { inTransaction } from '#database/transaction';
import { type BuyerDigests, buyerDigests, NO_BUYER_DIGESTS } from '#orders/buyer-digests';
import { DIGEST_DEFINITIONS, digestColumns, digestsFrom, hex } from '#orders/digest-columns';
import type { PersonalData } from '#orders/purchase-drafts';

// The rows are locked for some milliseconds: a correction or an erasure of one of these orders waits for that long.
const ROWS_AT_ONCE = 100;

type Batch = Readonly<{ resealed: number; unreadable: number }>;
type KeyRow = Readonly<{ id: string; key: Buffer }>;
type ResealedKey = Readonly<{ id: string; key: Buffer; digests: BuyerDigests }>;

/**
 * Stores the keys of orders so that only the current ENCRYPTION_KEY is needed, with the digests that it makes of the buyer. What the orders have
 * sealed stays as it is, in the log too.
 */
export class OrderKeyResealing {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
  ) {}

  async remaining(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `select count(*)::int as count from personal_data_keys where ${IS_ELSEWISE}`,
      [this.sealer.header, this.sealer.keyId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Writers go on meanwhile. */
  async run(onBatch: (batch: Batch) => Promise<void>): Promise<void> {
    for (let after = ''; ;) {
      const { last, ...batch } = await inTransaction(this.pool, (client) => this.batch(client, after));
      if (last === undefined) return;
      await onBatch(batch);
      after = last;
    }
  }

  private async batch(client: PoolClient, after: string): Promise<Batch & { last: string | undefined }> {
    const { rows: keys } = await client.query<KeyRow>(LOCK, [this.sealer.header, this.sealer.keyId, after]);
    const ids = keys.map(({ id }) => id);
    // With the locks: a correction that is not in these rows yet waits, and then writes its own digests.
    const { rows } = await client.query<{ id: string; personal: Buffer | null }>(
      'select id, personal from orders where id = any($1)',
      [ids],
    );
    const personal = new Map(rows.map((row) => [row.id, row.personal]));
    const resealed = keys.flatMap((row) => this.resealed(row, personal.get(row.id) ?? null) ?? []);
    if (resealed.length > 0) await client.query(STORE, [JSON.stringify(resealed.map(stored))]);
    return { last: ids.at(-1), resealed: resealed.length, unreadable: keys.length - resealed.length };
  }

  private resealed({ id, key }: KeyRow, personal: Buffer | null): ResealedKey | undefined {
    try {
      const opened = personal && (this.sealer.openPersonal(id, key, personal) as PersonalData);
      const resealed = this.sealer.resealedOrderKey(id, key, personal);
      return { id, key: resealed ?? key, digests: opened ? buyerDigests(this.sealer, opened) : NO_BUYER_DIGESTS };
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  }
}

function stored({ id, key, digests }: ResealedKey) {
  return { order_id: id, key: hex(key), ...digestColumns(digests) };
}

// $1 the header of a value of the current key, $2 the id of that key. A key that is stored bare or named has 32 bytes after the id.
const IS_ELSEWISE = `(case when octet_length(key) > 36 then substring(key from 1 for length($1::bytea)) <> $1::bytea
  when octet_length(key) = 36 then substring(key from 1 for length($2::bytea)) <> $2::bytea else true end)`;

const LOCK = `
  select order_id as id, key from personal_data_keys where order_id > $3 and ${IS_ELSEWISE}
  order by order_id limit ${ROWS_AT_ONCE} for update`;

const STORE = `
  update personal_data_keys k set key = n.key, ${digestsFrom('n')}, folded_at = clock_timestamp()
  from json_to_recordset($1::json) as n (order_id text, key bytea, ${DIGEST_DEFINITIONS})
  where k.order_id = n.order_id`;
