import type { KnownOrder } from '#domain/order-state';
import type { OrderShow } from '#orders/order-shows';
import type { DisputedBuyer } from './disputed-buyers.js';

/** What two purchases have in common. */
export type SharedTrait = 'ip' | 'address' | 'email';

/** An order with who bought it and what for. */
export type ComparedOrder = Readonly<{ id: string; order: KnownOrder; buyer: DisputedBuyer; show: OrderShow | null }>;
export type EarlierOrder = ComparedOrder & Readonly<{ shares: readonly SharedTrait[] }>;
