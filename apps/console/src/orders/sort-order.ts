import type { OrderSummary } from '#orders/order.contract';

/** Where the search places an order. Orders without a value come last. */
function valueOf(order: OrderSummary, field: string): number {
  if (field === 'total') return order.total;
  const at = field === 'due_at' ? order.confirm_by : field === 'updated_at' ? order.updated_at : order.placed_at;
  return at === null ? Infinity : Date.parse(at);
}

/** True if `one` comes before `other` in a list with this sort, e.g. `placed_at.desc`. */
export function isBefore(one: OrderSummary, other: OrderSummary, sort: string): boolean {
  const [field = '', direction] = sort.split('.');
  const difference = valueOf(one, field) - valueOf(other, field);
  return direction === 'desc' ? difference > 0 : difference < 0;
}
