import { isDeepStrictEqual } from 'node:util';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { domainError } from '#domain/domain-error';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { buyerDigests } from '../buyer-digests.js';
import { type BuyerCorrection, corrected } from './buyer-correction.js';
import { OrderChanges } from '../order-changes.js';
import { orderKeys } from './order-keys.js';
import type { PersonalData } from '../purchase-drafts.js';

type Change = Readonly<{ correction: BuyerCorrection; expectedVersion?: number }>;

/** Staff correct the buyer's name, e-mail address, telephone number or address. The result says whether anything was recorded. */
export class CorrectBuyer extends Command<boolean> {
  constructor(
    readonly orderId: string,
    readonly change: Change,
    readonly metadata: Metadata,
    /** For the inline projections, in the same transaction. */
    readonly attachments: Readonly<Record<string, unknown>> = {},
  ) {
    super();
  }
}

@CommandHandler(CorrectBuyer)
export class CorrectBuyerHandler implements ICommandHandler<CorrectBuyer> {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly pool: Pool,
    private readonly sealer: Sealer,
  ) {}

  async execute({ orderId, change, metadata, attachments }: CorrectBuyer): Promise<boolean> {
    const { correction, ...expected } = change;
    const { state } = await this.store.read(orderStream(orderId));
    if (!state.known) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
    const { personal: replaces } = state.purchase;
    if (replaces === null) throw domainError('NO_PERSONAL_DATA', 'The order came without personal data.');
    const key = (await orderKeys(this.pool, [orderId])).get(orderId)?.key;
    if (!key) throw domainError('PERSONAL_DATA_ERASED', 'The personal data was erased.');
    const sealed = Buffer.from(replaces, 'base64');
    const before = this.sealer.openPersonal(orderId, key, sealed) as PersonalData;
    const after = corrected(before, correction, state.purchase.delivery_method);
    const isSame = isDeepStrictEqual(before, after);
    const personal = isSame ? replaces : this.sealer.sealPersonal(orderId, key, after, sealed).toString('base64');
    const { recorded } = await this.orders.apply(
      orderId,
      { type: 'CorrectBuyer', personal, replaces, ...expected },
      metadata,
      {
        ...attachments,
        correctedDigests: buyerDigests(this.sealer, after),
        // Whoever seals the key anew next finds out by it that the digests are to be made anew, too.
        correctedKey: this.sealer.orderKeyForDigests(orderId, key, sealed),
      },
    );
    return recorded;
  }
}
