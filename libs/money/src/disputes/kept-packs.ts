import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Randomness } from '#base/randomness';
import { openedFile, sealedFile } from '#base/sealed-file';
import { Sealer, UnsealError } from '#base/sealing';
import type { Dispute } from '../dispute.contract.js';

export type PackKind = 'masked' | 'clear';

/** Both archives of a dispute, made of the same facts. `asOf`: ISO 8601. */
export type MadePack = Readonly<{ asOf: string; masked: Buffer; clear: Buffer }>;

/** `content` is null if nothing can open it any more. */
export type KeptPack = Readonly<{ asOf: string; content: Buffer | null }>;

type Key = Readonly<{ key: Buffer | null; personal: Buffer | null }>;
type PackRow = Key & Readonly<{ as_of: Date; is_sealed: boolean; content: Buffer }>;

/** Packs as they were made, sealed with the key of their order. An erasure deletes them. */
@Injectable()
export class KeptPacks {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly randomness: Randomness,
  ) {}

  async find({ id, order_id: orderId }: Dispute, kind: PackKind): Promise<KeptPack | undefined> {
    const { rows } = await this.pool.query<PackRow>(FIND[kind], [orderId, id]);
    const [row] = rows;
    if (!row) return undefined;
    const asOf = row.as_of.toISOString();
    if (!row.is_sealed) return { asOf, content: row.content };
    if (!row.key) return { asOf, content: null };
    try {
      const fileKey = this.sealer.fileKey(orderId, row.key, fileId(id, asOf, kind), row.personal);
      return { asOf, content: await buffer(openedFile(fileKey, pieceOf(row.content))) };
    } catch (error) {
      if (error instanceof UnsealError) return { asOf, content: null };
      throw error;
    }
  }

  /** Does nothing if there is another one than that of `instead` by now: whoever was first has made it. @param instead its `asOf` */
  async keep({ id, order_id: orderId }: Dispute, { asOf, masked, clear }: MadePack, instead?: string): Promise<void> {
    const { rows } = await this.pool.query<Key>(ORDER_KEY, [orderId]);
    const { key = null, personal = null } = rows[0] ?? {};
    const sealed = async (kind: PackKind, content: Buffer): Promise<Buffer> => {
      // Without a key the order has nothing personal either.
      if (!key) return content;
      const fileKey = this.sealer.fileKey(orderId, key, fileId(id, asOf, kind), personal);
      return await buffer(sealedFile(fileKey, pieceOf(content), this.randomness));
    };
    const contents = [await sealed('masked', masked), await sealed('clear', clear)];
    await this.pool.query(KEEP, [orderId, id, asOf, key !== null, ...contents, instead ?? null]);
  }
}

const fileId = (disputeId: string, asOf: string, kind: PackKind) => `pack/${disputeId}/${asOf}/${kind}`;

async function* pieceOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

const find = (kind: PackKind) => `
  select p.as_of, p.is_sealed, p.${kind} as content, k.key, o.personal
  from dispute_packs p join orders o on o.id = p.order_id left join personal_data_keys k on k.order_id = p.order_id
  where p.order_id = $1 and p.dispute_id = $2`;
const FIND: Readonly<Record<PackKind, string>> = { masked: find('masked'), clear: find('clear') };

const ORDER_KEY = `
  select k.key, o.personal from orders o left join personal_data_keys k on k.order_id = o.id where o.id = $1`;

const KEEP = `
  insert into dispute_packs as kept (order_id, dispute_id, as_of, is_sealed, masked, clear) values ($1, $2, $3, $4, $5, $6)
  on conflict (order_id, dispute_id) do update
    set as_of = excluded.as_of, is_sealed = excluded.is_sealed, masked = excluded.masked, clear = excluded.clear
    where kept.as_of = $7::timestamptz`;
