import * as paths from '../catalogue/writing/public-paths.js';
import { parseJson } from '#base/json';

/** The parts of the discovery documents that the pages show. */
export type DirectoryVenue = Readonly<{
  id: number;
  name: string;
  address?: string | null;
  city?: string | null;
  state?: string | null;
  country?: string | null;
  postal_code?: string | null;
  location?: Readonly<{ lat: number; lon: number }> | null;
}>;

export type DirectoryPerformer = Readonly<{ id: number; name: string; slug: string; type: string }>;

export type DirectoryEvent = Readonly<{
  id: number;
  title: string;
  type: string;
  datetime_local: string;
  datetime_utc: string;
  visible_until: string | null;
  time_tbd: boolean;
  date_tbd: boolean;
  venue: DirectoryVenue;
  performers: readonly DirectoryPerformer[];
  stats: Readonly<{ listing_count: number | null; lowest_price: number | null; highest_price: number | null }>;
}>;

export const venuePath = ({ id, name }: DirectoryVenue): string => paths.venuePath(id, name).slice(1);
export const performerPath = ({ slug }: DirectoryPerformer): string => paths.performerPath(slug).slice(1);
export const eventPath = ({ id }: DirectoryEvent): string => paths.eventPath(id).slice(1);

/** Reads a document as the index sends it. */
export const readEvent = (json: string): DirectoryEvent => parseJson(json) as DirectoryEvent;
export const readPerformer = (json: string): DirectoryPerformer => parseJson(json) as DirectoryPerformer;
export const readVenue = (json: string): DirectoryVenue => parseJson(json) as DirectoryVenue;
