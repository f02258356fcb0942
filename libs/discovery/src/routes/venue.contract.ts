import { z } from 'zod';
import { Meta } from './meta.contract.js';

export const Score = z.number().min(0).max(1).meta({ description: 'popularity; the most popular of its kind has 1' });

export const DiscoveryVenue = z
  .object({
    id: z.int(),
    name: z.string(),
    address: z.string().nullish(),
    extended_address: z.string().nullish(),
    city: z.string().nullish(),
    postal_code: z.string().nullish(),
    state: z.string().nullish(),
    country: z.string().nullish(),
    location: z.object({ lat: z.number(), lon: z.number() }).nullish(),
    url: z.string(),
    score: Score,
  })
  .meta({ id: 'DiscoveryVenue' });

export const VenuesAnswer = z.object({ meta: Meta, venues: z.array(DiscoveryVenue) }).meta({ id: 'VenuesAnswer' });
