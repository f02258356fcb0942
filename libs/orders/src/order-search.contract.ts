import { z } from 'zod';
import { text } from '#base/text';
import { canBeAsked } from '#web/asked-text.contract';
import { MOST_ORDERS_A_PAGE } from './order.limits.js';
import { OrderCondition } from './order-condition.contract.js';

export const ORDER_SEARCH_SORTS = [
  'placed_at.desc',
  'placed_at.asc',
  'updated_at.desc',
  'updated_at.asc',
  'total.desc',
  'total.asc',
  'due_at.asc',
] as const;
export type OrderSearchSort = (typeof ORDER_SEARCH_SORTS)[number];

/** The times of an order that a work queue may go by. */
export const DUE_FIELDS = ['placed_at', 'updated_at', 'due_at'] as const;
export type DueField = (typeof DUE_FIELDS)[number];

const LONGEST_QUESTION = 16_384;

/** What a caller says about an order. */
export const question = text(LONGEST_QUESTION)
  .trim()
  .refine(canBeAsked, 'must have at least 2 characters, or 1 of a script without blanks')
  .meta({
    description:
      'at least 2 characters, or 1 of a script without blanks: an order id, `ref_id`, tracking number, transaction or listing id or how ' +
      "it begins, the last 6 characters of an order's id, an event id, the last four of a card, words of a show's name, section and row, or a " +
      'seat (`104 C 7`); with `orders:act` also of a buyer the first 4 or more characters of the e-mail address before the @, or the whole address, the ' +
      'phone number (with or without its country code) or names in any order. Case and accents do not count. Brokers find no names and no parts ' +
      'of addresses. `searched` and `matched` of the answer say what it was compared with, and where it met each order',
  });

/** Body of POST /backoffice/v1/orders/search. */
export const OrderSearchRequest = z
  .strictObject({
    where: OrderCondition.optional(),
    q: question.optional(),
    sort: z.enum(ORDER_SEARCH_SORTS).default('placed_at.desc'),
    limit: z.int().min(1).max(MOST_ORDERS_A_PAGE).default(50),
    cursor: z.string().max(1_024).optional().meta({ description: '`next_cursor` of the page before' }),
  })
  .meta({
    id: 'OrderSearchRequest',
    example: {
      where: {
        and: [
          { field: 'status', op: 'in', value: ['pending', 'exception'] },
          { not: { field: 'total', op: '<', value: 500 } },
        ],
      },
      limit: 50,
    },
  });
export type OrderSearchRequest = z.output<typeof OrderSearchRequest>;
