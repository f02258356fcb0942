import { z } from 'zod';

const Person = z.object({ operator_id: z.string(), name: z.string() });

/** Who else has the page of an order open. */
export const OrderPresence = z
  .object({
    people: z.array(Person).meta({ description: 'without yourself; brokers see only brokers of their seller' }),
    unnamed_staff: z.int().meta({ description: 'members of staff whom a broker is not told by name' }),
  })
  .meta({ id: 'OrderPresence' });
export type OrderPresence = z.infer<typeof OrderPresence>;

/** Who can be mentioned in a note on an order. */
export const OrderPeople = z
  .object({
    people: z.array(
      Person.extend({
        is_broker: z.boolean().meta({ description: 'reads only notes whose `visibility` is `partner`' }),
      }),
    ),
  })
  .meta({ id: 'OrderPeople' });
export type OrderPeople = z.infer<typeof OrderPeople>;
