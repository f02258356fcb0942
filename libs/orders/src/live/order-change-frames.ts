import { seesOrder, type SeenSellers } from '#domain/order-access';
import type { LiveOrderChange } from '../live-orders.contract.js';
import type { ChangePosition, OrderChange } from './order-change-feed.js';

/** Tells the reader that its data may be out of date. */
export const RESET = Buffer.from('event: reset\ndata: {}\n\n');

const POSITION = /^([0-9a-f]+)\.(\d{1,15})\.(\d{1,15})$/;

/** Undefined for an id that is not ours, and for one of another epoch. */
export function readPosition(eventId: string | undefined, epoch: string): ChangePosition | undefined {
  const [, of, feed, audit] = POSITION.exec(eventId ?? '') ?? [];
  return of === epoch ? { feed: Number(feed), audit: Number(audit) } : undefined;
}

const idOf = (epoch: string, { feed, audit }: ChangePosition) => `${epoch}.${feed}.${audit}`;

/** Where the reader can continue. Not a comment, because scripts see only events, and a page that hears nothing for long reconnects. */
export function positionFrame(event: 'position' | 'heartbeat', epoch: string, position: ChangePosition): Buffer {
  return Buffer.from(`retry: 1000\nid: ${idOf(epoch, position)}\nevent: ${event}\ndata: {}\n\n`);
}

type Changes = Readonly<{
  epoch: string;
  position: ChangePosition;
  changes: readonly OrderChange[];
  sellers: SeenSellers;
}>;

/** Empty if there is nothing for this reader. */
export function changesFrame({ epoch, position, changes, sellers }: Changes): Buffer {
  const own = changes.filter((change) => seesOrder(sellers, change));
  if (own.length === 0) return Buffer.alloc(0);
  return Buffer.from(`id: ${idOf(epoch, position)}\ndata: ${JSON.stringify({ changes: own.map(shown) })}\n\n`);
}

function shown({ order_id, version, desk_version, status, status_message, status_code }: OrderChange): LiveOrderChange {
  return { order_id, version, desk_version, status, status_message, status_code };
}
