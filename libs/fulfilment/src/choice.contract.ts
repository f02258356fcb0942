import { z } from 'zod';

/** Answer to POST /backoffice/v1/orders/{id}/choice-link. */
export const ChoiceLink = z
  .object({
    url: z.string().meta({ description: 'whoever has it can answer for the buyer; send it to nobody else' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'ChoiceLink' });
export type ChoiceLink = z.infer<typeof ChoiceLink>;
