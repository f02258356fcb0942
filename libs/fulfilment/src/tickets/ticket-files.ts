import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { openedFile, SEALED_FILE_OVERHEAD_BYTES, sealedFile } from '#base/sealed-file';
import { Randomness } from '#base/randomness';
import { ObjectStore } from '#platform/object-store';
import { ticketFileKey } from '#orders/tickets.projection';

/** What sealing needs to know of an order. `key` is null if it has none. `personal` is sealed with the same key. */
export type OrderKey = Readonly<{ version: number; event_id: string; key: Buffer | null; personal: Buffer | null }>;

/** A file to store. `sha256` is in hex. */
export type NewFile = Readonly<{ size: number; sha256: string; content(): AsyncIterable<Buffer> }>;

/** The files of tickets, encrypted with the key of their order. */
@Injectable()
export class TicketFiles {
  constructor(
    private readonly pool: Pool,
    private readonly objects: ObjectStore,
    private readonly sealer: Sealer,
    private readonly randomness: Randomness,
  ) {}

  /** Undefined if there is no such order. */
  async orderKey(orderId: string): Promise<OrderKey | undefined> {
    const { rows } = await this.pool.query<OrderKey>(ORDER_KEY, [orderId]);
    return rows[0];
  }

  async store(orderId: string, ticketId: string, key: Buffer, order: OrderKey, file: NewFile): Promise<void> {
    const fileKey = this.sealer.fileKey(orderId, key, ticketId, order.personal);
    const sealed = Readable.from(sealedFile(fileKey, file.content(), this.randomness));
    await this.objects.put(ticketFileKey(orderId, ticketId), sealed, file.size + SEALED_FILE_OVERHEAD_BYTES);
  }

  /** The content in clear. @throws MissingObject, UnsealError */
  async read(orderId: string, ticketId: string, { key, personal }: OrderKey & { key: Buffer }): Promise<Readable> {
    const fileKey = this.sealer.fileKey(orderId, key, ticketId, personal);
    const sealed = await this.objects.read(ticketFileKey(orderId, ticketId));
    try {
      const pieces = openedFile(fileKey, sealed);
      // A file that cannot be read fails here, before anybody records that it was downloaded.
      const opened = Readable.from(continued(await pieces.next(), pieces), { objectMode: false });
      return opened.once('close', () => sealed.destroy());
    } catch (error) {
      sealed.destroy();
      throw error;
    }
  }
}

async function* continued(first: IteratorResult<Buffer>, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

const ORDER_KEY = `
  select o.version, o.event_id, k.key, o.personal from orders o left join personal_data_keys k on k.order_id = o.id
  where o.id = $1`;
