import { canBeAsked } from '../api/can-be-asked.js';
import type { OrderCondition, OrderQuestion } from '../api/orders.js';
import type { ListState } from './list-address.js';
import { whereOf } from './order-condition.js';

/** What a list asks the server for. @param hidden the part of its view that the filters cannot show */
export function questionOf({ filters, q, sort }: ListState, hidden?: OrderCondition): OrderQuestion {
  const shown = whereOf(filters, new Date());
  return {
    where: hidden && shown ? { and: [hidden, shown] } : (hidden ?? shown),
    ...(canBeAsked(q.trim()) && { q }),
    sort,
  };
}
