import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { parseJson } from '#base/json';
import { Sealer, UnsealError } from '#base/sealing';
import type { SeatDigest } from '#domain/delivery-events';
import type { SeatBarcodeRow } from '#orders/barcodes.projection';
import { BarcodeDigests } from '../barcode-digests.js';
import type { OrderKey } from './ticket-files.js';

export type GivenBarcode = Readonly<{ seat: string; barcode: string; reason?: string }>;

const barcodeId = (seat: string) => `barcode/${seat}`;

/** The barcodes of seats, sealed with the keys of their orders. */
@Injectable()
export class BarcodeVault {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly barcodes: BarcodeDigests,
  ) {}

  async digests(eventId: string, given: readonly GivenBarcode[]): Promise<SeatDigest[]> {
    return await Promise.all(
      given.map(async ({ seat, barcode }) => {
        return { seat, digest: (await this.barcodes.of(eventId, barcode)).toString('hex') };
      }),
    );
  }

  /** What an append writes. */
  rows(
    orderId: string,
    { key, personal }: OrderKey & { key: Buffer },
    given: readonly GivenBarcode[],
  ): SeatBarcodeRow[] {
    return given.map(({ seat, barcode, reason = null }) => {
      const text = JSON.stringify({ barcode, reason });
      const sealed = this.sealer.sealNote(orderId, barcodeId(seat), key, text, personal);
      return { order_id: orderId, seat, sealed: `\\x${sealed.toString('hex')}` };
    });
  }

  /** By seat. Without those that do not open, because the buyer's data was erased. */
  async open(orderId: string, key: Buffer | null): Promise<ReadonlyMap<string, GivenBarcode>> {
    if (!key) return new Map();
    const { rows } = await this.pool.query<{ seat: string; sealed: Buffer }>(
      'select seat, sealed from order_barcodes where order_id = $1',
      [orderId],
    );
    return new Map(rows.flatMap(({ seat, sealed }) => this.opened(orderId, key, seat, sealed)));
  }

  private opened(orderId: string, key: Buffer, seat: string, sealed: Buffer): [string, GivenBarcode][] {
    try {
      const text = this.sealer.openNote(orderId, barcodeId(seat), key, sealed);
      const { barcode, reason } = parseJson(text) as { barcode: string; reason: string | null };
      return [[seat, { seat, barcode, ...(reason !== null && { reason }) }]];
    } catch (error) {
      if (error instanceof UnsealError) return [];
      throw error;
    }
  }
}
