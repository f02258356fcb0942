import { z } from 'zod';

const CHOICE_STATES = ['open', 'kept', 'refunded', 'lapsed'] as const;

/** Whether the buyer of a postponed show keeps the tickets. */
export const OrderChoice = z
  .object({
    state: z.enum(CHOICE_STATES).meta({
      description:
        '`refunded`: the buyer gave the tickets back; `lapsed`: no answer in time, which keeps them, or the order has ended',
    }),
    until: z.iso.datetime(),
  })
  .meta({ id: 'OrderChoice' });
export type OrderChoice = z.infer<typeof OrderChoice>;
