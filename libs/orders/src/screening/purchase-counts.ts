import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** The digests that one purchase is counted by; of a value that it lacks, none. */
export type CountedDigests = Readonly<Record<'email' | 'address' | 'card', readonly Buffer[]>>;

export type PurchaseCounts = Readonly<{ email: number; address: number; card: number; isKnownEmail: boolean }>;

// A count costs a read of so many entries of an index at most. Rules hardly ask for more.
export const MOST_COUNTED = 1_000;

export const WINDOW_MS = 24 * 3_600_000;

/** Counts purchases by the keyed digests of their buyers. Attempts whose payment was declined count too. */
@Injectable()
export class PurchaseCountQueries {
  constructor(private readonly pool: Pool) {}

  /** The purchases of the 24 hours before `at` (ISO 8601), each count at most 1,000. One round trip. */
  async before(at: string, { email, address, card }: CountedDigests): Promise<PurchaseCounts> {
    const since = new Date(Date.parse(at) - WINDOW_MS).toISOString();
    const { rows } = await this.pool.query<PurchaseCounts>({
      name: 'purchase-counts',
      text: COUNTS,
      values: [email, address, card, since],
    });
    return rows[0]!;
  }

  /** Which of these orders are not the first of their e-mail address. */
  async repeated(orders: readonly Readonly<{ id: string; email: Buffer | null; placed_at: Date }>[]) {
    const withEmail = orders.filter(({ email }) => email !== null);
    const columns = [
      withEmail.map(({ id }) => id),
      withEmail.map(({ email }) => email),
      withEmail.map(({ placed_at: at }) => at),
    ];
    const { rows } = await this.pool.query<{ id: string }>(REPEATED, columns);
    return new Set(rows.map(({ id }) => id));
  }
}

const counted = (column: string, parameter: string) => `
  (select count(*)::int from (
    select from personal_data_keys where ${column} = any(${parameter}::bytea[]) and placed_at > $4::timestamptz
    limit ${MOST_COUNTED}) found)`;

const COUNTS = `
  select ${counted('email_digest', '$1')} as email, ${counted('address_digest', '$2')} as address,
    ${counted('card_digest', '$3')} as card,
    exists (select from personal_data_keys where email_digest = any($1::bytea[])) as "isKnownEmail"`;

const REPEATED = `
  select id from unnest($1::text[], $2::bytea[], $3::timestamptz[]) as placed (id, email, at)
  where exists (select from personal_data_keys where email_digest = email and placed_at < at)`;
