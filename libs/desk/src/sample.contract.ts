import { z } from 'zod';

/** Answer of GET /backoffice/v1/sample. */
export const SampleState = z
  .object({
    present: z.boolean().meta({ description: 'whether there are invented shows, listings and orders' }),
    removed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SampleState' });
export type SampleState = z.infer<typeof SampleState>;

/** Answer of DELETE /backoffice/v1/sample. */
export const SampleRemovalResult = z
  .object({
    orders: z.int().meta({ description: 'that are in no list, report or queue any more; their events stay' }),
    listings: z.int().meta({ description: 'that were deleted; those that somebody bought from are withdrawn' }),
    events: z.int().meta({ description: 'shows that were removed; those with orders of yours stay' }),
  })
  .meta({ id: 'SampleRemovalResult' });
export type SampleRemovalResult = z.infer<typeof SampleRemovalResult>;
