import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { utcOf } from '#discovery/local-time';
import { timeZoneOf, type VenuePlace } from '#discovery/venue-time-zone';
import { nameKey } from '#discovery/tokenizer';

export type WantedShow = Readonly<{
  event: string;
  venue: string;
  /** At the venue: `2026-11-27`. */
  day: string;
  /** `20:00:00`, only to choose between several shows of the day. */
  time: string | undefined;
}>;

export type Show = Readonly<{
  id: string;
  title: string;
  day: string;
  time: string;
  venue: string;
  /** Minutes that its clock is ahead of UTC when it begins. */
  offset: number;
  place: VenuePlace;
  /** Folded names under which people know it: titles first, then performers. */
  names: readonly (readonly string[])[];
}>;

const DAYS_KEPT = 60;
const MOST_NAMED = 5;

/** Finds the show of the catalogue that a line of a file means. */
export class ShowFinder {
  readonly #days = new LRUCache<string, readonly Show[]>({ max: DAYS_KEPT });

  constructor(private readonly pool: Pool) {}

  /** The shows of these days at their venues, by day. */
  async onDays(days: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly Show[]>> {
    const shows = new Map([...days].map((day) => [day, this.#days.get(day)] as const));
    const missing = [...shows].flatMap(([day, known]) => (known ? [] : [day]));
    const read = missing.length === 0 ? [] : await this.read('e.datetime_local::date = any($1::date[])', missing);
    for (const day of missing) {
      const found = read.filter((show) => show.day === day);
      shows.set(day, found);
      this.#days.set(day, found);
    }
    return new Map([...shows].map(([day, found]) => [day, found ?? []]));
  }

  /** The shows with these ids, as listings name them. */
  async withIds(eventIds: ReadonlySet<string>): Promise<ReadonlyMap<string, Show>> {
    const shows = eventIds.size === 0 ? [] : await this.read('e.id::text = any($1)', [...eventIds]);
    return new Map(shows.map((show) => [show.id, show]));
  }

  private async read(condition: string, values: readonly string[]): Promise<Show[]> {
    const { rows } = await this.pool.query<ShowRow>(`${SHOWS} where ${condition}`, [values]);
    return rows.map(({ title, short_title: short, performers, time_zone, lat, lon, ...row }) => ({
      ...row,
      place: { time_zone, lat, lon },
      title,
      names: [[nameKey(title), nameKey(short)], (performers ?? []).map(nameKey)],
    }));
  }
}

/** How many minutes the clock of the show's venue is ahead of UTC at a time by that clock: `2026-10-27T20:00:00`. */
export async function offsetAt({ place, offset }: Show, local: string): Promise<number> {
  const timeZone = await timeZoneOf(place);
  const ms = Date.parse(`${local}Z`);
  return timeZone === undefined ? offset : Math.round((ms - utcOf(ms, timeZone)) / 60_000);
}

/**
 * The one show with that name, venue and day. A title counts more than the name of a performer. The time decides only between several.
 * A string says why none was found, and names those that come near.
 */
export function showOf({ event, venue, day, time }: WantedShow, shows: readonly Show[]): Show | string {
  const name = nameKey(event);
  const named = [0, 1].map((rank) => shows.filter(({ names }) => names[rank]?.includes(name)));
  const there = named.map((some) =>
    venue === '' ? some : some.filter((show) => nameKey(show.venue) === nameKey(venue)),
  );
  const fitting = there.find((some) => some.length > 0) ?? [];
  const atTime = fitting.filter((show) => show.time === time);
  const [only, ...others] = fitting.length > 1 && atTime.length > 0 ? atTime : fitting;
  const wanted = `${JSON.stringify(event)}${venue === '' ? '' : ` at ${JSON.stringify(venue)}`} on ${day}`;
  if (only && others.length === 0) return only;
  if (only) return `event: several shows of the catalogue are ${wanted}: ${listed([only, ...others])}`;
  const near = named.flat();
  return `event: no show of the catalogue is ${wanted}${near.length === 0 ? '' : `; that day there are ${listed(near)}`}`;
}

function listed(shows: readonly Show[]): string {
  const some = shows
    .slice(0, MOST_NAMED)
    .map(({ id, title, time, venue }) => `${id} ${title}, ${time.slice(0, 5)}, ${venue}`);
  return `${some.join('; ')}${shows.length > MOST_NAMED ? ' …' : ''}`;
}

type ShowRow = Omit<Show, 'names' | 'place'> &
  VenuePlace &
  Readonly<{ short_title: string; performers: readonly string[] | null }>;

const SHOWS = `
  select e.id::text as id, e.title, e.short_title, to_char(e.datetime_local, 'YYYY-MM-DD') as day,
    to_char(e.datetime_local, 'HH24:MI:SS') as time, v.name as venue,
    v.time_zone, v.lat, v.lon,
    (extract(epoch from e.datetime_local - e.datetime_utc) / 60)::float8 as "offset",
    (select array_agg(p.name) from discovery_performers p where p.id = any(e.performer_ids)) as performers
  from discovery_events e join discovery_venues v on v.id = e.venue_id`;
