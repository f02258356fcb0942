import { DomainError } from './domain-error.js';
import { hasRefusedSeat, isHandedOver } from './handover.js';
import type { DecidedEvent } from './order-events.js';
import { evolveAll, type KnownOrder } from './order-state.js';
import type { StatusCatalogue } from './status-catalogue.js';
import { changeStatus } from './status-change.js';

/**
 * The status that follows when these events give the last seat its tickets: sent electronically. It also follows the confirmation of an
 * order whose tickets were there before. None if the events say themselves that the tickets were sent.
 */
export function deliveredStatus(
  order: KnownOrder,
  decided: readonly DecidedEvent[],
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] {
  if (decided.some(({ type }) => type === 'TicketsDelivered' || type === 'TicketsShipped')) return [];
  const after = evolveAll(
    order,
    decided.map((event) => ({ ...event, recorded_at: order.updatedAt })),
  );
  if (!after.known || !isReady(after) || (isReady(order) && order.status?.status !== 'pending')) return [];
  const isOpen = after.status?.status === 'confirmed' || after.status?.status === 'exception';
  if (!isOpen || (after.status.status === 'exception' && order.status?.status === 'pending')) return [];
  const changed = changeStatus(after, catalogue.role('delivered_electronically'), catalogue, {});
  return changed instanceof DomainError ? [] : changed;
}

function isReady(order: KnownOrder): boolean {
  return isHandedOver(order) && !hasRefusedSeat(order);
}
