import { z } from 'zod';
import { Meta } from './meta.contract.js';

export const DiscoveryTaxonomy = z
  .object({ id: z.int(), name: z.string(), parent_id: z.int().nullable() })
  .meta({ id: 'DiscoveryTaxonomy' });

export const DiscoveryGenre = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    image: z.string().nullable(),
    images: z.record(z.string(), z.string()).nullable(),
  })
  .meta({ id: 'DiscoveryGenre' });

export const TaxonomiesAnswer = z
  .object({ meta: Meta, taxonomies: z.array(DiscoveryTaxonomy) })
  .meta({ id: 'TaxonomiesAnswer' });

export const GenresAnswer = z.object({ meta: Meta, genres: z.array(DiscoveryGenre) }).meta({ id: 'GenresAnswer' });
