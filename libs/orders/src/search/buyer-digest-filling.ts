import { Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { Sealer, UnsealError } from '#base/sealing';
import { inTransaction } from '#database/transaction';
import { Logger } from '#platform/logger';
import { buyerDigests } from '../buyer-digests.js';
import { DIGEST_DEFINITIONS, digestColumns, digestsFrom } from '../digest-columns.js';
import type { PersonalData } from '../purchase-drafts.js';

// The rows are locked for some milliseconds: a correction or an erasure of one of these orders waits for that long.
const ROWS_AT_ONCE = 100;
const LOGGED_EACH = 10_000;

type LockedKey = Readonly<{ id: string; key: Buffer }>;
type Buyer = Readonly<{ id: string; placed_at: Date; personal: Buffer | null }>;

/** Gives orders whose buyers an earlier version has folded the digests that newer orders have from the start. */
@Injectable()
export class BuyerDigestFilling {
  #filled = 0;
  #logged = 0;
  // What is done is passed over, also while the index still has it.
  #after = '';

  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {}

  /** Does some orders, of which several processes do different ones. Returns whether there may be more. */
  async run(): Promise<boolean> {
    const done = await inTransaction(this.pool, (client) => this.fill(client));
    this.#filled += done;
    const isEnd = done < ROWS_AT_ONCE;
    if (this.#filled - this.#logged >= (isEnd ? 1 : LOGGED_EACH)) {
      this.#logged = this.#filled;
      this.logger.info({ filled: this.#filled, done: isEnd }, 'older orders get the digests of their buyers');
    }
    return !isEnd;
  }

  private async fill(client: PoolClient): Promise<number> {
    const { rows: keys } = await client.query<LockedKey>(LOCK, [this.#after, ROWS_AT_ONCE]);
    this.#after = keys.length < ROWS_AT_ONCE ? '' : keys.at(-1)!.id;
    if (keys.length === 0) return 0;
    // With the locks: a correction that is not in these rows yet waits, and then writes its own digests.
    const { rows } = await client.query<Buyer>(BUYERS, [keys.map(({ id }) => id)]);
    const buyers = new Map(rows.map((row) => [row.id, row]));
    const filled = keys.map(({ id, key }) => this.filled(id, key, buyers.get(id)));
    await client.query(FILL, [JSON.stringify(filled)]);
    return keys.length;
  }

  private filled(id: string, key: Buffer, buyer: Buyer | undefined) {
    const personal = buyer?.personal && this.opened(id, key, buyer.personal);
    const digests = personal && digestColumns(buyerDigests(this.sealer, personal));
    return { order_id: id, placed_at: buyer?.placed_at, readable: Boolean(personal), ...digests };
  }

  /** Data that cannot be decrypted keeps the digests that it has, and must not block the other orders. */
  private opened(id: string, key: Buffer, personal: Buffer): PersonalData | undefined {
    try {
      return this.sealer.openPersonal(id, key, personal) as PersonalData;
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  }
}

const LOCK = `
  select order_id as id, key from personal_data_keys where (folded_at is null or email_start is null) and order_id > $1
  order by order_id limit $2 for update skip locked`;

const BUYERS = 'select id, placed_at, personal from orders where id = any($1)';

const FILL = `
  with filled as materialized (
    select * from json_to_recordset($1::json)
      as f (order_id text, placed_at timestamptz, readable boolean, ${DIGEST_DEFINITIONS})),
  readable as (
    update personal_data_keys k
    set placed_at = coalesce(k.placed_at, f.placed_at), ${digestsFrom('f')}, folded_at = clock_timestamp()
    from filled f where k.order_id = f.order_id and f.readable)
  update personal_data_keys k set placed_at = coalesce(k.placed_at, f.placed_at), folded_at = clock_timestamp(),
    email_start = coalesce(k.email_start, '')
  from filled f where k.order_id = f.order_id and not f.readable`;
