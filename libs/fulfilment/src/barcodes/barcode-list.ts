import { Injectable } from '@nestjs/common';
import type { KnownOrder } from '#domain/order-state';
import { seatsOf } from '#domain/seats';
import { TicketFiles } from '../tickets/ticket-files.js';
import { Tickets } from '../tickets/tickets.js';
import type { BarcodeList } from '../barcode.contract.js';
import { BarcodeVault } from '../tickets/barcode-vault.js';

/** The barcodes of an order's seats as a caller may see them. */
@Injectable()
export class BarcodeLists {
  constructor(
    private readonly files: TicketFiles,
    private readonly tickets: Tickets,
    private readonly vault: BarcodeVault,
  ) {}

  /** @param inClear otherwise only the last four characters */
  async of(orderId: string, order: KnownOrder, inClear: boolean): Promise<BarcodeList> {
    const key = (await this.files.orderKey(orderId))?.key ?? null;
    const [known, tickets] = await Promise.all([this.vault.open(orderId, key), this.tickets.ofOrder(orderId)]);
    const inOrder = seatsOf(order).flatMap((seat) => order.delivery.barcodes.find((one) => one.seat === seat) ?? []);
    const barcodes = inOrder.map(({ seat, digest, state, refused_at }) => {
      const given = digest === null ? undefined : known.get(seat);
      // The barcode of a file stands with the file.
      const ofFile = tickets.findLast(({ label }) => label?.seat === seat)?.label?.barcode;
      const barcode = (digest === null ? ofFile : given?.barcode) ?? null;
      const shown = barcode === null || inClear ? barcode : `••${barcode.slice(-4)}`;
      return { seat, barcode: shown, state, refused_at, reason: inClear ? (given?.reason ?? null) : null };
    });
    return { barcodes };
  }
}
