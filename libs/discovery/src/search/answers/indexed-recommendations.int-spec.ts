import type { Pool } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CatalogueKind, CatalogueLine } from '../../catalogue.contract.js';
import { parseSettings } from '#base/load-settings';
import { createPool } from '#database/pool';
import { cases } from '../../../../../test/support/cases.js';
import { eventLine, performerLine, venueLine } from '../../../../../test/support/discovery/catalogue-lines.js';
import {
  isRecorded,
  KINDS,
  generatedCatalogue,
  recordedCatalogue,
} from '../../../../../test/support/discovery/whole-catalogues.js';
import { seededRandom, pick } from '../../../../../test/support/discovery/generated-catalogue.js';
import { createTestDatabase } from '../../../../../test/support/database.js';
import { FixedClock } from '../../../../../test/support/fixed-clock.js';
import { RecommendationModel, type Sale } from '../../../../../test/support/discovery/recommendation-model.js';
import { sell } from '../../../../../test/support/discovery/sales.js';
import { Catalogue } from '../../catalogue.js';
import { IndexedSearch } from '../../indexed-search.js';
import type { SearchResult } from '../query/paging.js';
import type { RecommendationSearch, Seed } from '../query/recommendation-search.js';
import { BoughtTogether } from '../../bought-together.js';
import { IndexedRecommendations } from './indexed-recommendations.js';

const SEED = 20_261_121;
const SEARCHES = cases(50);
const SALES = 150;
const DAY_MS = 86_400_000;

const clock = new FixedClock('2026-11-21T12:00:00Z');
let pool: Pool;
let catalogue: Catalogue;
let recommendations: IndexedRecommendations;

beforeAll(async () => {
  const database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 4, applicationName: 'test', onError: () => undefined });
  catalogue = new Catalogue(pool, clock);
  recommendations = new IndexedRecommendations(new IndexedSearch(pool, clock, parseSettings({})), pool);
  return async () => {
    await pool.end();
    await database.drop();
  };
});

async function write<Kind extends CatalogueKind>(kind: Kind, lines: readonly CatalogueLine<Kind>[]): Promise<void> {
  expect(await catalogue.write(kind, lines)).toEqual([]);
}

/** Sales without a buyer no longer count. */
async function startAgain(sales: readonly Sale[] = []): Promise<void> {
  const tables = [...KINDS.map((kind) => `discovery_${kind}`), 'personal_data_keys'];
  await pool.query(tables.map((table) => `delete from ${table}`).join(';'));
  for (const { eventId, buyer } of sales) await sell(pool, eventId, buyer);
}

type Shown = Readonly<{ id: number; score: number }>;
const shown = ({ documents }: SearchResult): Shown[] =>
  documents.map(({ json }) => {
    const { score, event } = JSON.parse(json) as { score: number; event: { id: number } };
    return { id: event.id, score };
  });

const NEW_YORK = { lat: 40.7505, lon: -73.9934, rangeMetres: 320_000 };
const TEN = { page: 1, perPage: 10 };

describe('on a small catalogue', () => {
  const sports = { id: 10, name: 'sports', parent_id: null };
  const baseball = { id: 11, name: 'baseball', parent_id: 10 };
  const mlb = { id: 12, name: 'mlb', parent_id: 11 };
  const nfl = { id: 14, name: 'nfl', parent_id: 10 };
  const concert = { id: 20, name: 'concert', parent_id: null };
  const genre = (id: number, slug: string, primary: boolean) => ({ id, name: slug, slug, primary });
  const team = (id: number, ...taxonomies: object[]) => performerLine(id, { type: 'team', taxonomies } as never);
  const band = (id: number, ...genres: object[]) => performerLine(id, { taxonomies: [concert], genres } as never);
  const near = venueLine(1);
  const farther = venueLine(2, { location: { lat: 41.7, lon: -73.9934 } });
  const [yanks, sox, mets, jets] = [team(1, mlb), team(2, mlb), team(3, mlb), team(4, nfl)];
  const [folk, folkToo, rock] = [
    band(5, genre(1, 'folk', true)),
    band(6, genre(1, 'folk', true)),
    band(7, genre(2, 'rock', true)),
  ];

  beforeAll(async () => {
    await startAgain();
    await write('taxonomies', [sports, baseball, mlb, nfl, concert]);
    const at = (id: number, performers: object[], taxonomies: object[], venue = near) =>
      eventLine(id, { performers, taxonomies, venue } as never);
    await write('events', [
      at(100, [yanks, sox], [mlb]),
      at(101, [yanks, sox], [mlb]),
      at(102, [sox, mets], [mlb]),
      at(103, [mets], [mlb]),
      at(104, [mets], [baseball]),
      at(105, [jets], [nfl]),
      at(106, [rock], [concert]),
      at(107, [folk], [concert]),
      at(108, [folkToo], [concert]),
      at(109, [yanks], [mlb], farther),
      at(110, [mets], [mlb], farther),
    ]);
  });

  const ids = async (seed: Seed, more: Partial<RecommendationSearch> = {}) =>
    shown(await recommendations.find({ seed, near: NEW_YORK, ...TEN, perPage: 20, ...more })).map(({ id }) => id);

  it('two shared performers rank before one, one before the same kind, that before a less similar kind', async () => {
    expect(await ids({ eventId: 100 })).toEqual([101, 102, 109, 103, 110, 104, 105]);
  });

  it('nearer events rank higher, and events out of range are left out', async () => {
    expect(await ids({ performerIds: [1] })).toEqual([100, 101, 109, 102, 103, 110, 104, 105]);
    expect(await ids({ performerIds: [1] }, { near: { ...NEW_YORK, rangeMetres: 50_000 } })).not.toContain(109);
    const scores = shown(await recommendations.find({ seed: { performerIds: [3] }, near: NEW_YORK, ...TEN }));
    const of = (id: number) => scores.find((entry) => entry.id === id)?.score ?? 0;
    expect(of(103) / of(110)).toBeCloseTo(2 ** (105_573 / 320_000), 3);
  });

  it('the same genre ranks before another', async () => {
    expect(await ids({ performerIds: [5] })).toEqual([107, 108, 106]);
  });

  it('performers that the same people buy rank higher', async () => {
    const score = async (performer: number, event: number) => {
      const found = await recommendations.find({ seed: { performerIds: [performer] }, near: NEW_YORK, ...TEN });
      return shown(found).find(({ id }) => id === event)?.score;
    };
    // A band and a team share nothing; two bands share something.
    expect([await score(1, 106), await score(5, 106)]).toEqual([undefined, 0.3]);
    for (const buyer of ['ann', 'bob', 'cid']) for (const event of [100, 106]) await sell(pool, event, buyer);
    await new BoughtTogether(pool, clock).refresh();
    expect([await score(1, 106), await score(5, 106)]).toEqual([0.21, 0.3]);
    expect(await ids({ performerIds: [1] })).toEqual([100, 101, 109, 102, 103, 110, 106, 104, 105]);
    for (const buyer of ['dee', 'eve', 'fay']) for (const event of [107, 106]) await sell(pool, event, buyer);
    await new BoughtTogether(pool, clock).refresh();
    expect(await score(5, 106)).toBeGreaterThan(0.4);
  });

  it('several seeds form one profile, unknown ones are ignored, and none at all gives an empty result', async () => {
    expect(await ids({ performerIds: [1, 5, 999] })).toEqual(expect.arrayContaining([100, 105, 107, 108]));
    expect(await ids({ performerIds: [999] })).toEqual([]);
    expect(await ids({ eventId: 999 })).toEqual([]);
    expect(await recommendations.find({ seed: { eventId: 999 }, near: NEW_YORK, ...TEN })).toEqual({
      total: 0,
      documents: [],
    });
  });

  it('follow the catalogue', async () => {
    await write('events', [eventLine(101, { performers: [jets], taxonomies: [nfl], venue: near } as never)]);
    // An event of baseball alone is less unlike than one of a league of it.
    expect(await ids({ performerIds: [4] })).toEqual([101, 105, 104, 100, 102, 103, 109, 110]);
    await catalogue.remove('events', 101);
    expect(await ids({ performerIds: [4] })).not.toContain(101);
  });
});

const generated = () =>
  generatedCatalogue({ events: 400, performers: 80, venues: 60, seed: SEED, from: '2026-10-01', days: 120 });

describe.each([
  ['a made-up catalogue', generated],
  ...(isRecorded ? [['the recorded one', recordedCatalogue] as const] : []),
] as const)('over %s', (_, makeCatalogue) => {
  const documents = makeCatalogue();
  const random = seededRandom(SEED);
  const sales = Array.from({ length: SALES }, () => ({
    buyer: `buyer ${Math.floor(random() * 40)}`,
    eventId: pick(documents.events, random).id,
  }));
  const model = new RecommendationModel(documents, sales);

  beforeAll(async () => {
    await startAgain(sales);
    for (const kind of KINDS) await write(kind, documents[kind] as never);
    await new BoughtTogether(pool, clock).refresh();
  });

  const maybe = <Value>(probability: number, value: () => Value) => (random() < probability ? value() : undefined);

  function search(): RecommendationSearch {
    const event = pick(documents.events, random);
    const own = event.performers.map(({ id }) => id);
    const place = pick(documents.venues, random).location ?? { lat: 40, lon: -80 };
    const at = Date.parse(`${event.datetime_utc}Z`);
    return {
      page: 1,
      perPage: 5_000,
      seed:
        random() < 0.5 && own.length > 0
          ? { performerIds: [...own, pick(documents.performers, random).id].slice(0, 1 + Math.floor(random() * 3)) }
          : { eventId: event.id },
      near: { ...place, rangeMetres: pick([50_000, 320_000, 3_000_000, 20_000_000], random) },
      datetimeUtc: maybe(0.2, () => [{ operator: 'gte', at: at - Math.floor(random() * 60) * DAY_MS }]),
      datetimeLocal: maybe(0.2, () => [{ operator: 'lt', at: at + Math.floor(random() * 60) * DAY_MS }]),
      venueIds: maybe(0.1, () => [pick(documents.venues, random).id, event.venue.id]),
      taxonomyIds: maybe(0.1, () => [pick(event.taxonomies, random).id]),
      taxonomyNames: maybe(0.1, () => [pick(documents.taxonomies, random).name]),
      visibleAt: maybe(0.2, () => at),
    };
  }

  it(`agree with a model that looks at every document and sale (seed ${SEED})`, async () => {
    let found = 0;
    for (let at = 0; at < SEARCHES; at++) {
      const asked = search();
      const answer = await recommendations.find(asked);
      const page = shown(answer);
      const expected = model.find(asked);
      const byId = page.toSorted((one, other) => one.id - other.id);
      expect(answer.total, JSON.stringify(asked)).toBe(expected.length);
      expect(
        byId.map(({ id }) => id),
        JSON.stringify(asked),
      ).toEqual(expected.map(({ id }) => id));
      for (const [number, { score }] of byId.entries()) {
        expect(Math.abs(score - (expected[number]?.score ?? 0)), JSON.stringify(asked)).toBeLessThan(0.000_002);
        expect(score > 0 && score <= 1).toBe(true);
      }
      expect(page).toEqual(byId.toSorted((one, other) => other.score - one.score || one.id - other.id));
      if (page.length > 1) found++;
    }
    // The comparison proves nothing if no search finds anything.
    expect(found).toBeGreaterThan(SEARCHES / 2);
  });

  it('some performers are bought together', () => {
    const all = documents.performers.map(({ id }) => id);
    expect(all.some((one) => all.some((other) => model.boughtTogether(one, other) > 0))).toBe(true);
  });

  it('pages follow each other without a gap or an overlap', async () => {
    const asked = { ...search(), near: { lat: 40, lon: -95, rangeMetres: 5_000_000 } };
    const { seed, near } = asked;
    const all = shown(await recommendations.find({ seed, near, page: 1, perPage: 5_000 }));
    const walked: Shown[] = [];
    for (let page = 1; page <= Math.ceil(all.length / 7) + 1; page++) {
      walked.push(...shown(await recommendations.find({ seed, near, page, perPage: 7 })));
    }
    expect(all.length).toBeGreaterThan(20);
    expect(walked).toEqual(all);
  });
});
