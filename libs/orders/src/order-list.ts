import type { FieldCondition } from './order-condition.contract.js';
import type { OrderCountQuery } from './order.contract.js';
import type { ListSort, SearchQuestion } from './order-finder.js';

/** The filters of the list as a search: each is a condition, and `q` is a whole text. */
export function listQuestion({ q, stage, ...filter }: OrderCountQuery, sort: ListSort): SearchQuestion {
  const { status, status_code: codes, placed_from: from, placed_to: to, ...ids } = filter;
  const asked: (FieldCondition | undefined)[] = [
    status && { field: 'status', op: 'in', value: status },
    codes && { field: 'status_code', op: 'in', value: codes },
    ...ID_FIELDS.map((field) => {
      const value = ids[field];
      return value === undefined ? undefined : ({ field, op: '=', value } as const);
    }),
    stage === 'all' ? undefined : { field: 'stage', op: '=', value: stage },
    from === undefined ? undefined : { field: 'placed_at', op: '>=', value: from },
    to === undefined ? undefined : { field: 'placed_at', op: '<', value: to },
  ];
  return { where: { and: asked.filter((one) => one !== undefined) }, q, sort, isWhole: true };
}

const ID_FIELDS = ['event_id', 'listing_id', 'ref_id', 'client_id'] as const;
