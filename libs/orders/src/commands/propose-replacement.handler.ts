import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DatabaseClock } from '#database/database-clock';
import { domainError } from '#domain/domain-error';
import type { OrderCommand } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { seesSeller, type SeenSellers } from '#domain/order-access';
import { orderStream } from '#domain/order-stream';
import { freeSeats } from '#domain/seats';
import { canBuy } from '#domain/splits';
import type { Metadata } from '#event-store/event';
import { EventStore, ProjectionConflict } from '#event-store/event-store';
import type { Clock } from '#base/clock';
import type { Listing } from '#listings/listing';
import { deliveryFormOf, soldFrom } from '../sold-from.js';
import { OrderChanges, OrderRules } from '../order-changes.js';
import { ReplacementListings } from './replacement-listings.js';

type Offer = Readonly<{
  listingId: string;
  terms: string | null;
  expiresInMinutes: number;
  /** Whose listings may be offered; null for everybody's. */
  sellers: SeenSellers;
  note?: string;
  expectedVersion?: number;
}>;

/** Staff offer the buyer other tickets, which are set aside until the offer lapses. */
export class ProposeReplacement extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly offer: Offer,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

// Each further attempt reads the listing again.
const MAX_ATTEMPTS = 5;

@CommandHandler(ProposeReplacement)
export class ProposeReplacementHandler implements ICommandHandler<ProposeReplacement> {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly rules: OrderRules,
    private readonly listings: ReplacementListings,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async execute({ orderId, offer, metadata }: ProposeReplacement): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const stream = await this.store.read(orderStream(orderId));
      const { state } = stream;
      if (!state.known) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
      const listing = await this.listings.find(offer.listingId);
      const command = this.commandFor(state, listing, offer);
      // A rule of the order counts more than what is wrong with the listing.
      const decided = this.rules.decide(command, state);
      if (decided instanceof Error) throw decided;
      const issue = listingIssue(state, listing, offer);
      if (issue !== undefined || !listing) throw domainError('LISTING_NOT_OFFERABLE', `listing_id ${issue}`);
      const parts = await this.listings.partsOf(orderId, stream, listing);
      const priced = parts === undefined ? command : { ...command, parts };
      try {
        await this.orders.apply(orderId, priced, metadata);
        return;
      } catch (error) {
        if (!(error instanceof ProjectionConflict) || attempt === MAX_ATTEMPTS) throw error;
        this.listings.forget(offer.listingId);
      }
    }
  }

  private commandFor(order: KnownOrder, listing: Listing | undefined, offer: Offer): ProposeCommand {
    const { listingId, terms, expiresInMinutes, note, expectedVersion } = offer;
    const { quantity } = order.purchase.product;
    const seats = listing ? freeSeats(listing).slice(0, quantity) : [];
    return {
      type: 'ProposeReplacement',
      tickets: {
        event_id: listing?.eventId ?? '',
        listing_id: listingId,
        listing_version: listing?.version ?? 0,
        quantity,
        ...(listing && soldFrom(listing, seats.length === quantity ? seats : undefined)),
        ...(listing && deliveryFormOf(listing, order.purchase.delivery_method)),
        ...(listing?.seller !== undefined && { seller: listing.seller }),
        terms,
        expires_at: new Date(this.clock.now() + expiresInMinutes * 60_000).toISOString(),
      },
      ...(note !== undefined && { note }),
      ...(expectedVersion !== undefined && { expectedVersion }),
    };
  }
}

type ProposeCommand = Extract<OrderCommand, { type: 'ProposeReplacement' }>;

/** What is wrong with the listing, to follow its name. A listing of another seller is treated as if there were none. */
function listingIssue(
  { purchase: { product } }: KnownOrder,
  listing: Listing | undefined,
  { sellers }: Offer,
): string | undefined {
  const isForeign = !seesSeller(sellers, listing?.seller);
  if (!listing || listing.withdrawnAt || isForeign) return 'must be a listing that is for sale';
  if (listing.id === product.listing_id) return 'must be another listing than that of the order';
  if (!canBuy(listing.splitRule, listing.available, product.quantity)) {
    return `must be a listing that sells ${product.quantity} together`;
  }
  return undefined;
}
