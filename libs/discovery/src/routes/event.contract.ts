import { z } from 'zod';
import { DiscoveryTaxonomy } from './kinds.contract.js';
import { Meta } from './meta.contract.js';
import { DiscoveryPerformer } from './performer.contract.js';
import { DiscoveryVenue, Score } from './venue.contract.js';

const Stats = z
  .object({
    listing_count: z.int().nullable(),
    average_price: z.number().nullable(),
    lowest_price: z.number().nullable(),
    highest_price: z.number().nullable(),
  })
  .meta({ id: 'DiscoveryStats' });

const EventPerformer = DiscoveryPerformer.extend({
  primary: z.boolean().optional(),
  home_team: z.boolean().optional(),
  away_team: z.boolean().optional(),
}).meta({ id: 'DiscoveryEventPerformer' });

export const DiscoveryEvent = z
  .object({
    id: z.int(),
    title: z.string(),
    short_title: z.string(),
    url: z.string(),
    type: z.string(),
    stats: Stats,
    datetime_local: z.string().meta({ description: 'at the venue; 03:30 while time_tbd' }),
    datetime_utc: z.string(),
    announce_date: z.string().nullable(),
    visible_until: z.string().nullable(),
    time_tbd: z.boolean(),
    date_tbd: z.boolean(),
    datetime_tbd: z.boolean().meta({ description: 'deprecated' }),
    performers: z.array(EventPerformer),
    venue: DiscoveryVenue,
    score: Score,
    taxonomies: z.array(DiscoveryTaxonomy),
  })
  .meta({ id: 'DiscoveryEvent' });

export const EventsAnswer = z.object({ meta: Meta, events: z.array(DiscoveryEvent) }).meta({ id: 'EventsAnswer' });

export const RecommendationsAnswer = z
  .object({
    meta: Meta,
    recommendations: z.array(z.object({ score: z.number().meta({ description: 'affinity' }), event: DiscoveryEvent })),
  })
  .meta({ id: 'RecommendationsAnswer' });
