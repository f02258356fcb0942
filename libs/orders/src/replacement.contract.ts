import { z } from 'zod';
import { LONGEST_CHANGE_NOTE, LONGEST_TERMS } from './order.limits.js';
import { text } from '#base/text';

/** A month. */
const LONGEST_OFFER_MIN = 43_200;

const note = text(LONGEST_CHANGE_NOTE).nullish().meta({ description: 'stored with the change, for colleagues' });

/** Body of POST /backoffice/v1/orders/{id}/replacement. */
export const ReplacementOffer = z
  .strictObject({
    listing_id: text(255).min(1).meta({ description: 'its tickets are set aside, as many as the order has' }),
    terms: text(LONGEST_TERMS).nullish().meta({ description: 'what the buyer was told about them' }),
    expires_in_minutes: z.int().min(1).max(LONGEST_OFFER_MIN),
    note,
  })
  .meta({
    id: 'ReplacementOffer',
    examples: [{ listing_id: 'demo-any-1', terms: 'Row H instead of F, same price.', expires_in_minutes: 60 }],
  });
export type ReplacementOffer = z.infer<typeof ReplacementOffer>;

/** Body of POST /backoffice/v1/orders/{id}/replacement/accept and …/reject. */
export const ReplacementAnswer = z
  .strictObject({ note })
  .meta({ id: 'ReplacementAnswer', examples: [{ note: 'She is happy with them.' }] });
export type ReplacementAnswer = z.infer<typeof ReplacementAnswer>;

/** Other tickets that were offered to the buyer. */
export const Replacement = z
  .object({
    event_id: z.string(),
    listing_id: z.string(),
    quantity: z.int(),
    terms: z.string().nullable(),
    expires_at: z.iso.datetime(),
    state: z.enum(['open', 'accepted', 'rejected', 'lapsed', 'withdrawn']).meta({
      description: '`withdrawn`: the order went on without an answer of the buyer',
    }),
    price_difference: z.number().exactOptional().meta({
      description:
        'US dollars that they cost more than the buyer has paid. Less than 0: the buyer gets it back after accepting. More: the buyer pays no more. Missing if nobody paid here',
    }),
  })
  .meta({ id: 'Replacement' });
export type Replacement = z.infer<typeof Replacement>;
