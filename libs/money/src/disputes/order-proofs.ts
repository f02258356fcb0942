import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { orderStream } from '#domain/order-stream';
import { EventLog, type LoggedEvent } from '#event-store/event-log';
import { headCovering, type SignedHead } from '#event-store/signed-heads';

/** The events of an order with their hashes, and the signed head of the ledger that covers them all, once there is one. */
export type OrderProof = Readonly<{ events: readonly LoggedEvent[]; head: SignedHead | undefined }>;

@Injectable()
export class OrderProofs {
  constructor(
    private readonly pool: Pool,
    private readonly log: EventLog,
  ) {}

  /** Of its first events. */
  async of(orderId: string, length: number): Promise<OrderProof> {
    const events = (await this.log.stream(orderStream(orderId))).slice(0, length);
    const last = events.at(-1)?.global_position ?? null;
    return { events, head: last === null ? undefined : await headCovering(this.pool, last) };
  }
}
