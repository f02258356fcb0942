import { z } from 'zod';
import { hasNoControl, isStorableJson, text } from '#base/text';
import { TimeZone } from '#web/time-zone.contract';

/**
 * The catalogue documents of an import and the back office (docs/catalogue.md), in the form of the discovery API. Unknown fields
 * are dropped. A field is required only when no default can be derived.
 */

/** The limit of `z.int()`: whoever reads JSON with doubles, as browsers do, would see another id beyond it. */
export const LARGEST_CATALOGUE_ID = Number.MAX_SAFE_INTEGER;

const MOST_LISTINGS = 2_147_483_647;
const MOST_CENTS = 1_000_000_000;
const MOST_LINKED = 500;
const MAX_DEPTH = 6;

export const CatalogueId = z.int().min(1);

const Name = text(500).min(1);
const Words = text(500);

/** A path leads to this installation. Browsers take `//host` and `/\host` as another host, and ignore tabs and line feeds. */
const WEB_ADDRESS = /^(?:[Hh][Tt][Tt][Pp][Ss]?:[/][/].*|[/]|[/][^/\\].*)$/;
const NOT_WEB = 'must be an http:// or https:// address, or a path of this installation';

const WebAddress = text(2_000).regex(WEB_ADDRESS, { error: NOT_WEB, abort: true }).refine(hasNoControl, NOT_WEB);

const NOT_A_SLUG = 'must not have slashes, question marks, hashes and control characters';
const Slug = text(300)
  .regex(/^[^/\\?#]+$/, { error: NOT_A_SLUG, abort: true })
  .refine(hasNoControl, NOT_A_SLUG);
const Score = z.number().min(0).max(1).nullish().meta({ description: 'used until there are sales; default 0' });
const Price = z.number().min(0).max(MOST_CENTS).nullish();

const Url = WebAddress.nullish().meta({ description: 'default: the public page, as a path' });

/** Sizes and their addresses. */
const Images = z.record(text(100), WebAddress).nullish();

const AnyDocument = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => isStorableJson(value, MAX_DEPTH),
    `must be at most ${MAX_DEPTH} levels deep and well-formed Unicode`,
  );

/** Profiles of a performer. A provider may give an id in place of an address. */
const Link = AnyDocument.refine(({ url }) => typeof url !== 'string' || (WEB_ADDRESS.test(url) && hasNoControl(url)), {
  message: NOT_WEB,
  path: ['url'],
});

const DATE_TIME = /^((?:19|2\d)\d{2}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** `2026-11-21T19:30:00`; a date is its midnight, a fraction is cut off, an offset is taken into account in UTC and dropped in local times. */
const DateTime = z
  .string()
  .refine(
    (value) => canonicalDateTime(value, 'local') !== undefined,
    'must be a date-time such as 2026-11-21T19:30:00',
  );

/** The form of the wire, `2026-11-21T19:30:00`, or undefined where there is no such time. */
export function canonicalDateTime(value: string, kind: 'utc' | 'local'): string | undefined {
  const parts = DATE_TIME.exec(value);
  if (!parts) return undefined;
  const [, date = '', time = '00:00:00', offset = 'Z'] = parts;
  const zone = kind === 'utc' ? offset : 'Z';
  const at = new Date(`${date}T${time.length === 5 ? `${time}:00` : time}${zone}`);
  if (Number.isNaN(at.getTime())) return undefined;
  const canonical = at.toISOString().slice(0, 19);
  // 30 February is read as 2 March.
  return zone !== 'Z' || canonical.startsWith(date) ? canonical : undefined;
}

const TaxonomyReference = z.object({
  id: CatalogueId,
  name: Name.nullish(),
  parent_id: CatalogueId.nullish(),
});

const TaxonomyReferences = z
  .array(TaxonomyReference)
  .max(MOST_LINKED)
  .nullish()
  .meta({ description: 'in the order of the document; an unknown one is created if it has a name' });

const taxonomy = { name: Name, parent_id: CatalogueId.nullish() };

const genre = {
  name: Name,
  slug: Slug.nullish().meta({ description: 'default: derived from the name' }),
  image: WebAddress.nullish(),
  images: Images,
};

const venue = {
  name: Name,
  address: Words.nullish(),
  extended_address: Words.nullish(),
  city: Words.nullish(),
  postal_code: text(20).nullish(),
  state: Words.nullish(),
  country: Words.nullish().meta({ description: 'two letters' }),
  timezone: TimeZone.nullish().meta({ description: 'default: that of the location' }),
  location: z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) }).nullish(),
  url: Url,
  score: Score,
};

const performer = {
  name: Name,
  short_name: Name.nullish(),
  slug: Slug.nullish().meta({ description: 'default: derived from the name' }),
  type: text(100).nullish().meta({ description: 'default: the most specific taxonomy' }),
  url: Url,
  image: WebAddress.nullish(),
  images: Images,
  score: Score,
  taxonomies: TaxonomyReferences,
  has_upcoming_events: z
    .boolean()
    .nullish()
    .meta({ description: 'used until the catalogue has had an upcoming event of this performer' }),
  links: z.array(Link).max(MOST_LINKED).nullish(),
  divisions: z.array(AnyDocument).max(MOST_LINKED).nullish(),
  genres: z
    .array(z.object({ id: CatalogueId, name: Name.nullish(), slug: Slug.nullish(), primary: z.boolean().nullish() }))
    .max(MOST_LINKED)
    .nullish(),
};

/** A performer of an event. Fields beside id and flags count only if the performer does not exist yet. */
const EventPerformer = z.looseObject({
  id: CatalogueId,
  primary: z.boolean().nullish(),
  home_team: z.boolean().nullish(),
  away_team: z.boolean().nullish(),
});

const event = {
  title: Name,
  short_title: Name.nullish(),
  url: Url,
  type: text(100).nullish().meta({ description: 'default: the most specific taxonomy' }),
  stats: z
    .object({
      listing_count: z.int().min(0).max(MOST_LISTINGS).nullish(),
      average_price: Price,
      lowest_price: Price,
      highest_price: Price,
    })
    .nullish()
    .meta({ description: 'used until the event has its first listing' }),
  datetime_local: DateTime.meta({ description: "by the clock of the venue's time zone" }),
  datetime_utc: DateTime.meta({
    description: 'an hour off, it is corrected by the time zone of the venue: it has the distance of the other season',
  }),
  announce_date: DateTime.nullish(),
  visible_until: DateTime.nullish().meta({
    description:
      'default: four hours after the start; with time_tbd the end of the day at the venue, which is also the earliest; with date_tbd a year later',
  }),
  visible_until_utc: DateTime.nullish().meta({ description: 'another name of visible_until' }),
  time_tbd: z.boolean().nullish(),
  date_tbd: z.boolean().nullish(),
  datetime_tbd: z.boolean().nullish(),
  performers: z.array(EventPerformer).max(MOST_LINKED).nullish(),
  venue: z
    .looseObject({ id: CatalogueId })
    .meta({ description: 'fields beside the id count only if the venue does not exist yet' }),
  score: Score,
  taxonomies: TaxonomyReferences,
};

/** Bodies of PUT /backoffice/v1/catalogue/{kind}/{id}. */
export const CATALOGUE_BODIES = {
  taxonomies: z.object(taxonomy).meta({ id: 'TaxonomyBody', examples: [{ name: 'jazz', parent_id: 2000000 }] }),
  genres: z.object(genre).meta({ id: 'GenreBody', examples: [{ name: 'Jazz', slug: 'jazz' }] }),
  venues: z.object(venue).meta({
    id: 'VenueBody',
    examples: [
      {
        name: 'The Old Chandlery',
        city: 'New York',
        state: 'NY',
        country: 'US',
        postal_code: '10001',
        location: { lat: 40.7505, lon: -73.9934 },
      },
    ],
  }),
  performers: z
    .object(performer)
    .meta({ id: 'PerformerBody', examples: [{ name: 'Ada Quartet', taxonomies: [{ id: 2000000 }] }] }),
  events: z.object(event).meta({
    id: 'EventBody',
    examples: [
      {
        title: 'Ada Quartet',
        datetime_local: '2026-12-04T20:00:00',
        datetime_utc: '2026-12-05T01:00:00',
        venue: { id: 500002 },
        performers: [{ id: 500003, primary: true }],
      },
    ],
  }),
};

/** The same with their ids: lines of an import, and documents within others. */
export const CATALOGUE_LINES = {
  taxonomies: z.object({ id: CatalogueId, ...taxonomy }),
  genres: z.object({ id: CatalogueId, ...genre }),
  venues: z.object({ id: CatalogueId, ...venue }),
  performers: z.object({ id: CatalogueId, ...performer }),
  events: z.object({ id: CatalogueId, ...event }),
};

export type CatalogueKind = keyof typeof CATALOGUE_LINES;
type CatalogueFields = { [Kind in CatalogueKind]: z.infer<(typeof CATALOGUE_BODIES)[Kind]> };
export type CatalogueBody<Kind extends CatalogueKind> = CatalogueFields[Kind];
export type CatalogueLine<Kind extends CatalogueKind> = CatalogueBody<Kind> & { id: number };

/** A line of postal_codes.jsonl. */
export const PostalCodeLine = z.object({
  postal_code: text(20).min(1),
  country: text(100).min(1),
  state: Words.nullish(),
  city: Words.nullish(),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
});
export type PostalCodeLine = z.infer<typeof PostalCodeLine>;
