import type { OrderSummary } from '#orders/order.contract';

export type FoundField = NonNullable<OrderSummary['matched']>[number]['field'];

/** What a search has met in these fields of the order. */
export function partsIn({ matched = [] }: OrderSummary, ...fields: readonly FoundField[]): readonly string[] {
  return matched.filter(({ field }) => fields.includes(field)).map(({ part }) => part);
}
