import { z } from 'zod';
import { DiscoveryTaxonomy } from './kinds.contract.js';
import { Meta } from './meta.contract.js';
import { Score } from './venue.contract.js';

export const DiscoveryPerformer = z
  .object({
    id: z.int(),
    name: z.string(),
    short_name: z.string(),
    slug: z.string(),
    type: z.string(),
    url: z.string(),
    image: z.string().nullable(),
    images: z.record(z.string(), z.string()).nullable().meta({ description: 'addresses by size' }),
    score: Score,
    taxonomies: z.array(DiscoveryTaxonomy),
    has_upcoming_events: z.boolean(),
    links: z.array(z.looseObject({ provider: z.string() })).meta({ description: 'profiles elsewhere, by url or id' }),
    divisions: z.array(z.looseObject({})).nullable().meta({ description: 'of teams: league, conference, division' }),
    genres: z.array(z.looseObject({ id: z.int(), name: z.string(), slug: z.string() })).nullable(),
  })
  .meta({ id: 'DiscoveryPerformer' });

export const PerformersAnswer = z
  .object({ meta: Meta, performers: z.array(DiscoveryPerformer) })
  .meta({ id: 'PerformersAnswer' });
