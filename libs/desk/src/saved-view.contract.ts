import { z } from 'zod';
import { text, visibleName, visibleText } from '#base/text';
import { StoredCondition } from '#orders/order-condition.contract';
import { ORDER_SEARCH_SORTS, question } from '#orders/order-search.contract';
import { LONGEST_VIEW_NAME } from './desk.limits.js';
import { readOnlyFields } from '#web/read-only.contract';

const MOST_COLUMNS = 50;
const LONGEST_QUERY = 16_384;

const EXAMPLE = {
  name: 'To confirm, above 500 dollars',
  where: {
    and: [
      { field: 'queue', op: '=', value: 'to_confirm' },
      { field: 'total', op: '>', value: 500 },
    ],
  },
  columns: ['id', 'status', 'total'],
  shared: true,
};

/** Body of POST /backoffice/v1/views. */
export const SavedViewBody = z
  .strictObject({
    name: visibleName(LONGEST_VIEW_NAME),
    where: StoredCondition.nullish().meta({ description: 'an `OrderCondition`, as in a search' }),
    q: question.nullish(),
    sort: z.enum(ORDER_SEARCH_SORTS).default('placed_at.desc'),
    query: text(LONGEST_QUERY).nullish().meta({
      description:
        'the same question as the query of the console’s `/orders`; it also keeps relative days: `placed_at=gte:-7d`',
    }),
    columns: z
      .array(visibleText(50))
      .max(MOST_COLUMNS)
      .default([])
      .meta({ description: 'the columns of the list, in order' }),
    shared: z.boolean().default(false).meta({ description: 'true: everybody who reads orders sees the view' }),
  })
  .meta({
    id: 'SavedViewBody',
    example: EXAMPLE,
  });
export type SavedViewBody = z.output<typeof SavedViewBody>;

/** Body of PUT /backoffice/v1/views/{id}. */
export const SavedViewReplacement = SavedViewBody.extend(readOnlyFields('id', 'owner')).meta({
  id: 'SavedViewReplacement',
  example: EXAMPLE,
});
export type SavedViewReplacement = z.output<typeof SavedViewReplacement>;

export const SavedView = z
  .object({
    id: z.string(),
    name: z.string(),
    where: z.record(z.string(), z.unknown()).nullable(),
    q: z.string().nullable(),
    sort: z.enum(ORDER_SEARCH_SORTS),
    query: z.string().nullable(),
    columns: z.array(z.string()),
    shared: z.boolean(),
    owner: z.string().meta({ description: '`operator:<id>` or `token:<id>`; only the owner changes a view' }),
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof SavedView>;

export const SavedViewList = z.object({ views: z.array(SavedView) }).meta({ id: 'SavedViewList' });
export type SavedViewList = z.infer<typeof SavedViewList>;
