import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { BatchedLookup } from '#database/batched-lookup';

export type Submission = Readonly<{
  clientId: string;
  /** `ours`: the platform sent no transaction id, so the id cannot identify a duplicate. */
  transaction: Readonly<{ id: string; ours: boolean }>;
  rawBody: Buffer;
  /** Whether the client must send a `ref_id`; default: no. */
  requireRefId?: boolean;
}>;

/** By client and `ref_id`, or else by client, transaction id and body: what makes a purchase a repeated one (docs/platform.md). */
export function purchaseKey(refId: string | null, { transaction, rawBody }: Submission): string | null {
  if (refId !== null) return `ref:${refId}`;
  if (transaction.ours) return null;
  return `request:${createHash('sha256').update(`${transaction.id}\n`).update(rawBody).digest('base64url')}`;
}

type ClientKey = Readonly<{ clientId: string; key: string }>;

/** An accepted purchase needs no lookup: the unique index decides. */
@Injectable()
export class PurchaseKeys {
  // When a listing sells out, many purchases are rejected at once. They share one statement.
  private readonly lookup = new BatchedLookup((keys: readonly ClientKey[]) => this.read(keys));

  constructor(private readonly pool: Pool) {}

  async includes(refId: string | null, submission: Submission): Promise<boolean> {
    const key = purchaseKey(refId, submission);
    return key !== null && (await this.lookup.find({ clientId: submission.clientId, key })) === true;
  }

  private async read(keys: readonly ClientKey[]): Promise<(true | undefined)[]> {
    const { rows } = await this.pool.query<{ index: number }>({
      name: 'find-purchase-keys',
      text: `select index::int from unnest($1::text[], $2::text[]) with ordinality as asked (client_id, key, index)
        where exists (select from purchase_keys k where k.client_id = asked.client_id and k.key = asked.key)`,
      values: [keys.map(({ clientId }) => clientId), keys.map(({ key }) => key)],
    });
    const found = new Set(rows.map(({ index }) => index));
    return keys.map((_, index) => (found.has(index + 1) ? true : undefined));
  }
}
