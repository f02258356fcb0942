import { SeededRandomness } from '#base/seeded-randomness';
import { sampleEvents } from '#web/sample-events.contract';
import {
  sampleBands,
  sampleComedians,
  sampleFamilyShows,
  sampleFestivals,
  sampleLeagues,
  sampleOrchestras,
  samplePlays,
} from './sample-performers.data.js';
import { type SampleCity, sampleVenues, type VenueKind } from './sample-places.data.js';

/** An event before it has ids and dates. */
export type Draft = Readonly<{
  title: string;
  /** Names; the first is the primary performer. */
  performers: readonly string[];
  /** The first performer is the home team, the second the away team. */
  isGame?: true;
  venue: string;
  taxonomies: readonly number[];
  daysAhead: number;
  /** The local time of the venue, `TBD` if unknown, or hours after midnight in UTC. */
  at: string | number;
  dateTbd?: true;
}>;

const CONCERT = [2_000_000];
const FESTIVAL = [2_000_000, 2_010_000];
const THEATER = [3_000_000];
const COMEDY = [3_000_000, 3_040_000];
const FAMILY = [3_000_000, 3_050_000];
const CLASSICAL = [3_000_000, 3_010_000, 3_010_300];

/** A show with some nights, each at another venue of these kinds. */
type Show = Readonly<{ count: number; kinds: readonly VenueKind[]; taxonomies: readonly number[]; time?: string }>;

const BAND: Show = { count: 3, kinds: ['hall', 'club', 'arena'], taxonomies: CONCERT };
const COMEDIAN: Show = { count: 3, kinds: ['club', 'theatre'], taxonomies: COMEDY };
const FAMILY_SHOW: Show = { count: 4, kinds: ['arena', 'theatre'], taxonomies: FAMILY, time: '14:00' };
const ORCHESTRA: Show = { count: 2, kinds: ['hall', 'theatre'], taxonomies: CLASSICAL };

// The days around today that events fall on.
const FIRST_DAY = -14;
const DAYS = 120;

/** The events of the sample listings, by id. */
const LISTED: Readonly<Record<keyof typeof sampleEvents, Pick<Draft, 'performers' | 'taxonomies' | 'isGame'>>> = {
  '1001': { performers: ['The Tin Lanterns'], taxonomies: CONCERT },
  '1002': {
    performers: ['Lakeside Owls', 'River Herons'],
    taxonomies: [1_000_000, 1_010_000, 1_010_300],
    isGame: true,
  },
  '1003': { performers: ['The Clockmaker’s Niece'], taxonomies: THEATER },
  '1004': { performers: ['Saltbush Festival', 'Hollow Pines', 'Tumbleweed Choir'], taxonomies: FESTIVAL },
  '1005': { performers: ['An Evening of Organ and Brass'], taxonomies: CLASSICAL },
  '1006': { performers: ['Second Helping'], taxonomies: COMEDY },
};

/** All sample events, always the same. Those of the sample listings come first, in order of their ids. */
export function sampleDrafts(): Draft[] {
  const random = new SeededRandomness(1_764_300_000);
  return [
    ...listed(),
    ...sampleBands.flatMap(([band], at) => tour(band, at, random)),
    ...sampleLeagues.flatMap(({ taxonomies, teams }, at) => season(taxonomies, teams, at)),
    ...samplePlays.flatMap((play, at) => run(play, at, random)),
    ...sampleComedians.flatMap((name) => dates({ ...COMEDIAN, name }, random)),
    ...sampleFamilyShows.flatMap((name) => dates({ ...FAMILY_SHOW, name }, random)),
    ...sampleOrchestras.flatMap((name) => dates({ ...ORCHESTRA, name }, random)),
    ...sampleFestivals.slice(1).map((name, at) => festival(name, at, random)),
  ];
}

function listed(): Draft[] {
  return Object.entries(LISTED).map(([id, draft]) => {
    const { title, venue, daysAhead, utcHour } = sampleEvents[id as keyof typeof sampleEvents];
    return { ...draft, title, venue: venue.split(',')[0] ?? '', daysAhead, at: utcHour };
  });
}

/** Three nights in different cities, sometimes with a support act. */
function tour(band: string, at: number, random: SeededRandomness): Draft[] {
  const support = at % 4 === 0 ? sampleBands[(at + 7) % sampleBands.length]?.[0] : undefined;
  const performers = support === undefined ? [band] : [band, support];
  return dates({ ...BAND, name: band }, random).map((draft) => ({
    ...draft,
    performers,
    title: support === undefined ? band : `${band} with ${support}`,
  }));
}

/** Every team plays every other team at home. */
function season(
  taxonomies: readonly number[],
  teams: readonly (readonly [string, SampleCity])[],
  league: number,
): Draft[] {
  const kind: VenueKind = league === 1 || league === 2 ? 'arena' : 'park';
  const games = teams.flatMap(([home, city]) =>
    teams.filter(([away]) => away !== home).map(([away]) => ({ home, away, venue: venueIn(city, kind) })),
  );
  return games.map(({ home, away, venue }, game) => ({
    title: `${away} at ${home}`,
    performers: [home, away],
    isGame: true,
    venue,
    taxonomies,
    daysAhead: FIRST_DAY + ((game * 7 + league * 2) % DAYS),
    at: game % 9 === 8 ? 'TBD' : ['19:05', '18:40', '13:10'][game % 3]!,
  }));
}

/** Four nights in a row at one venue. */
function run(play: string, at: number, random: SeededRandomness): Draft[] {
  const venue = at === 0 ? 'Annex Playhouse' : random.pick(venuesFor(['theatre']));
  const first = at === 0 ? 10 : FIRST_DAY + random.integer(DAYS);
  return Array.from({ length: 4 }, (_, night) => ({
    title: play,
    performers: [play],
    venue,
    taxonomies: THEATER,
    daysAhead: first + night,
    at: night === 3 ? '15:00' : '19:30',
  }));
}

function festival(name: string, at: number, random: SeededRandomness): Draft {
  const bands = Array.from({ length: 3 }, () => random.pick(sampleBands)[0]);
  const draft = { title: name, performers: [...new Set([name, ...bands])], venue: 'Lakefront Band Shell' };
  const dateTbd = at === 2 ? { dateTbd: true as const } : {};
  return { ...draft, taxonomies: FESTIVAL, daysAhead: 50 + at * 20, at: at === 2 ? 'TBD' : '12:00', ...dateTbd };
}

function dates({ name, count, kinds, taxonomies, time }: Show & { name: string }, random: SeededRandomness): Draft[] {
  const first = FIRST_DAY + random.integer(DAYS - count * 3);
  return Array.from({ length: count }, (_, night) => ({
    title: name,
    performers: [name],
    venue: random.pick(venuesFor(kinds)),
    taxonomies,
    daysAhead: first + night * 3,
    at: time ?? ['19:00', '19:30', '20:00'][night % 3]!,
  }));
}

function venuesFor(kinds: readonly VenueKind[]): string[] {
  return sampleVenues.filter(([, , kind]) => kinds.includes(kind)).map(([name]) => name);
}

function venueIn(city: SampleCity, kind: VenueKind): string {
  const venue = sampleVenues.find(([, where, what]) => where === city && what === kind);
  if (!venue) throw new Error(`The sample has no ${kind} in ${city}.`);
  return venue[0];
}
