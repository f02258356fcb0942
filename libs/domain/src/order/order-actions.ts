import { decide, type OrderCommand } from './order.js';
import { type ChangeEffect, effectsOf } from './order-effects.js';
import type { Fulfillment } from './order-events.js';
import { evolve, type KnownOrder, type Order } from './order-state.js';
import type { CatalogueEntry, StatusCatalogue } from './status-catalogue.js';

/**
 * A change that the rules allow now. `moves`: the order gets another of the four statuses. `corrects`: only the fulfillment changes.
 */
export type OrderAction = Readonly<{
  action: 'change_status' | 'ship' | 'deliver';
  entry: CatalogueEntry;
  moves: boolean;
  corrects: boolean;
  effects: readonly ChangeEffect[];
}>;

// The rules do not look at these values, except for whether they are new.
const ANY_SHIPMENT: Fulfillment = { type: 'ship', data: { carrier: '', tracking_number: '' } };
const ANY_DOWNLOAD: Fulfillment = { type: 'download', data: { url: '' } };

/** Tries every change that staff can make on a copy of the order, and returns those that would change something. */
export function possibleActions(order: KnownOrder, catalogue: StatusCatalogue): OrderAction[] {
  const shipped = catalogue.role('shipped');
  const delivered = catalogue.role('delivered_electronically');
  return catalogue.entries.flatMap((entry): OrderAction[] => {
    const { status_code: statusCode } = entry.status;
    if (statusCode === shipped.status.status_code) return tried('ship', ANY_SHIPMENT);
    if (statusCode === delivered.status.status_code) return tried('deliver', ANY_DOWNLOAD);
    return triedCommand('change_status', entry, { type: 'ChangeStatus', statusCode });
  });

  function tried(action: 'ship' | 'deliver', fulfillment: Fulfillment): OrderAction[] {
    return triedCommand(action, action === 'ship' ? shipped : delivered, { type: 'Fulfil', fulfillment });
  }

  function triedCommand(action: OrderAction['action'], entry: CatalogueEntry, command: OrderCommand): OrderAction[] {
    const events = decide(command, order, catalogue);
    if (!Array.isArray(events) || events.length === 0) return [];
    const after = events.reduce<Order>(
      (state, event) => evolve(state, { ...event, recorded_at: order.updatedAt }),
      order,
    );
    if (!after.known) return [];
    const moves = after.status?.status !== order.status?.status;
    const corrects = after.statuses.length === order.statuses.length;
    return [{ action, entry, moves, corrects, effects: effectsOf(order, after) }];
  }
}
