import { z } from 'zod';

/** What `q` is compared with. A name is the first name, the last name or both. */
export const MATCH_FIELDS = [
  'id',
  'ref_id',
  'tracking_number',
  'transaction_id',
  'listing_id',
  'event_id',
  'card_last4',
  'show',
  'place',
  'seat',
  'email',
  'phone',
  'name',
] as const;
export type MatchField = (typeof MATCH_FIELDS)[number];

/** Where an order met `q`: the field, and of its value the part that was asked for. */
export const AskedMatch = z.object({ field: z.enum(MATCH_FIELDS), part: z.string() });
export type AskedMatch = Readonly<z.infer<typeof AskedMatch>>;
