import { z } from 'zod';

const Geolocation = z
  .object({
    lat: z.number(),
    lon: z.number(),
    range: z.string().meta({ description: 'a number followed by mi or km', examples: ['30mi'] }),
    city: z.string().nullable(),
    state: z.string().nullable(),
    country: z.string().nullable(),
    postal_code: z.string().nullable(),
    display_name: z.string().nullable(),
  })
  .meta({ id: 'DiscoveryGeolocation' });

/** Beside the documents of every bulk answer. */
export const Meta = z
  .object({
    took: z.int().meta({ description: 'milliseconds' }),
    geolocation: Geolocation.nullable().meta({ description: 'null if not requested, or if no place was found' }),
    per_page: z.int(),
    total: z.int().meta({ description: 'documents that match' }),
    page: z.int(),
  })
  .meta({ id: 'DiscoveryMeta' });

export const DiscoveryError = z
  .object({
    errors: z.array(z.object({ code: z.int(), message: z.string() })).min(1),
    message: z.string(),
    status: z.int(),
    meta: z.object({ status: z.int() }),
  })
  .meta({ id: 'DiscoveryError' });
export type DiscoveryError = z.infer<typeof DiscoveryError>;
