import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer, UnsealError } from '#crypto/sealing';
import { Logger } from '#operations/logger';
import { type BuyerDigests, buyerDigests, NO_BUYER_DIGESTS } from '../commands/buyer-digests.js';
import type { PersonalData } from '../commands/purchase-drafts.js';

const ROWS_AT_ONCE = 500;

type Unfilled = Readonly<{ id: string; placed_at: Date; key: Buffer; personal: Buffer | null }>;

/** Gives orders that are older than the search by phone number and last name the digests that newer ones have from the start. */
@Injectable()
export class BuyerDigestFilling {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {}

  /** Ends when no order is left; several processes may run it. Returns the number of orders filled. */
  async run(): Promise<number> {
    let filled = 0;
    for (let after = ''; ;) {
      const { rows } = await this.pool.query<Unfilled>(UNFILLED, [after, ROWS_AT_ONCE]);
      const last = rows.at(-1);
      if (!last) return filled;
      await this.fill(rows);
      filled += rows.length;
      after = last.id;
      this.logger.info({ filled, upTo: after }, 'older orders get the digests of their buyers');
    }
  }

  private async fill(rows: readonly Unfilled[]): Promise<void> {
    const digests = rows.map((row) => ({ ...row, digests: this.digestsOf(row) }));
    await this.pool.query(FILL, [
      JSON.stringify(
        digests.map(({ id, placed_at, digests: { email, phone, last_name: lastName, others } }) => ({
          order_id: id,
          placed_at,
          email: email && hex(email),
          phone: phone && hex(phone),
          last_name: lastName && hex(lastName),
          others: others.length > 0 ? others.map(hex) : null,
        })),
      ),
    ]);
  }

  /** Data that cannot be decrypted gets no digests, and must not block the other orders. */
  private digestsOf({ id, key, personal }: Unfilled): BuyerDigests {
    if (!personal) return NO_BUYER_DIGESTS;
    try {
      return buyerDigests(this.sealer, this.sealer.openPersonal(id, key, personal) as PersonalData);
    } catch (error) {
      if (error instanceof UnsealError) return NO_BUYER_DIGESTS;
      throw error;
    }
  }
}

function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

const UNFILLED = `
  select keys.order_id as id, o.placed_at, keys.key, o.personal
  from personal_data_keys keys join orders o on o.id = keys.order_id
  where keys.placed_at is null and keys.order_id > $1 order by keys.order_id limit $2`;

// The old digest of an e-mail address stays if the data cannot be decrypted.
const FILL = `
  update personal_data_keys keys
  set placed_at = f.placed_at, email_digest = coalesce(f.email, keys.email_digest), phone_digest = f.phone,
    last_name_digest = f.last_name, other_digests = f.others
  from json_to_recordset($1::json)
    as f (order_id text, placed_at timestamptz, email bytea, phone bytea, last_name bytea, others bytea[])
  where keys.order_id = f.order_id and keys.placed_at is null`;
