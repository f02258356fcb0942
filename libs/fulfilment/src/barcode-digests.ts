import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { Randomness } from '#base/randomness';

const KEY_BYTES = 32;
const ID = 'barcodes';

export const barcodeKeyContext = (id: string): string => `barcode_keys/${id}`;

/**
 * Keyed digests that find a barcode again without storing it. Their key is sealed and not derived from ENCRYPTION_KEY, so they stay the same when
 * ENCRYPTION_KEY changes.
 */
@Injectable()
export class BarcodeDigests {
  private key: Promise<Buffer> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly randomness: Randomness,
  ) {}

  /** Blanks do not count, because people type barcodes in groups. */
  async of(eventId: string, barcode: string): Promise<Buffer> {
    const key = await this.loaded();
    return createHmac('sha256', key)
      .update(JSON.stringify([eventId, barcode.replaceAll(/\s/g, '')]))
      .digest();
  }

  private async loaded(): Promise<Buffer> {
    this.key ??= this.load();
    try {
      return await this.key;
    } catch (error) {
      this.key = undefined;
      throw error;
    }
  }

  /** Of several processes that make one, the first wins. */
  private async load(): Promise<Buffer> {
    const context = barcodeKeyContext(ID);
    const made = this.sealer.seal('barcode-key', context, this.randomness.bytes(KEY_BYTES));
    await this.pool.query('insert into barcode_keys (id, sealed) values ($1, $2) on conflict do nothing', [ID, made]);
    const { rows } = await this.pool.query<{ sealed: Buffer }>('select sealed from barcode_keys where id = $1', [ID]);
    return this.sealer.open('barcode-key', context, rows[0]?.sealed ?? made);
  }
}
