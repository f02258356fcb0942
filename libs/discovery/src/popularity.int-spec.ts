import type { Pool } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { eventLine, performerLine, venueLine } from '../../../test/support/discovery/catalogue-lines.js';
import { sell } from '../../../test/support/discovery/sales.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { Catalogue } from './catalogue.js';
import { Popularity } from './popularity.js';

type Document = { score: number; venue: Document; performers: Document[] };

let database: TestDatabase;
let pool: Pool;
let catalogue: Catalogue;
let popularity: Popularity;

beforeEach(async () => {
  const clock = new FixedClock('2026-11-21T12:00:00Z');
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 2, applicationName: 'test', onError: () => undefined });
  catalogue = new Catalogue(pool, clock);
  popularity = new Popularity(pool, clock, { POPULARITY_DAYS: 30 });
  const hall = venueLine(1, { score: 0.2 });
  const club = venueLine(2, { score: 0.3 });
  const band = performerLine(1, { score: 0.4 });
  const singer = performerLine(2, { score: 0.5 });
  await catalogue.write('events', [
    eventLine(11, { venue: hall, performers: [band], score: 0.6 }),
    eventLine(12, { venue: club, performers: [band, singer], score: 0.7 }),
    eventLine(13, { venue: club, performers: [singer], score: 0.8 }),
  ]);
  return async () => {
    await pool.end();
    await database.drop();
  };
});

async function scores(kind: 'events' | 'venues' | 'performers', ...ids: number[]): Promise<number[]> {
  const documents = await Promise.all(ids.map((id) => catalogue.find(kind, id)));
  return documents.map((text) => (JSON.parse(text ?? '{}') as Document).score);
}

const logarithm = (tickets: number, most: number) =>
  Math.round((Math.log(1 + tickets) / Math.log(1 + most)) * 1_000) / 1_000;

describe('scores', () => {
  it('are imported ones without sales, in proportion to the highest of their kind, which becomes 1', async () => {
    await popularity.refresh();
    expect(await scores('events', 11, 12, 13)).toEqual([0.75, 0.875, 1]);
    expect(await scores('venues', 1, 2)).toEqual([0.666667, 1]);
    expect(await scores('performers', 1, 2)).toEqual([0.8, 1]);
    await catalogue.write('events', [eventLine(14, { score: 1 })]);
    await popularity.refresh();
    expect(await scores('events', 11, 13, 14)).toEqual([0.6, 0.8, 1]);
  });

  it('stay 0 if no score was imported', async () => {
    await pool.query('delete from discovery_events');
    await catalogue.write('events', [eventLine(15, { score: null })]);
    await popularity.refresh();
    expect(await scores('events', 15)).toEqual([0]);
  });

  it('follow the ticket sales, and the most popular of each kind has 1', async () => {
    await sell(pool, '11', null, { quantity: 2 });
    await sell(pool, '12', null, { quantity: 8 });
    await sell(pool, '12', null, { quantity: 1 });
    await popularity.refresh();
    expect(await scores('events', 11, 12, 13)).toEqual([logarithm(2, 9), 1, 0.8]);
    expect(await scores('venues', 1, 2)).toEqual([logarithm(2, 9), 1]);
    expect(await scores('performers', 1, 2)).toEqual([1, logarithm(9, 11)]);
  });

  it('are also in the events of venues and performers, and survive an import', async () => {
    await sell(pool, '12', null, { quantity: 5 });
    await popularity.refresh();
    await catalogue.write('performers', [performerLine(2, { score: 0.1, name: 'Renamed' })]);
    const event = JSON.parse((await catalogue.find('events', 13)) ?? '') as Document;
    expect([event.venue.score, ...event.performers.map(({ score }) => score)]).toEqual([1, 1]);
  });

  it('do not count rejected or old orders, or events that are not in the catalogue', async () => {
    await sell(pool, '11', null, { quantity: 2, status: 'rejected' });
    await sell(pool, '11', null, { quantity: 2, placedAt: '2026-10-21T00:00:00Z' });
    for (const id of ['99', '2147483648', '99999999999', '011', 'a-concert'])
      await sell(pool, id, null, { quantity: 50 });
    await popularity.refresh();
    expect(await scores('events', 11, 13)).toEqual([0.75, 1]);
  });

  it('are imported ones again when the sales are old', async () => {
    await sell(pool, '11', null, { quantity: 2 });
    await popularity.refresh();
    expect(await scores('events', 11)).toEqual([1]);
    await pool.query(`update orders set placed_at = '2026-09-01'`);
    await popularity.refresh();
    expect(await scores('events', 11, 12, 13)).toEqual([0.75, 0.875, 1]);
    expect(await scores('performers', 1, 2)).toEqual([0.8, 1]);
  });
});

describe('has_upcoming_events', () => {
  it('ends with the last event, and keeps the imported value without any', async () => {
    const upcoming = async () => {
      const found = await Promise.all([1, 3].map((id) => catalogue.find('performers', id)));
      const embedded = JSON.parse((await catalogue.find('events', 11)) ?? '') as { performers: unknown[] };
      return [...found.map((text) => JSON.parse(text ?? '') as unknown), embedded.performers[0]].map(
        (document) => (document as { has_upcoming_events: boolean }).has_upcoming_events,
      );
    };
    await catalogue.write('performers', [performerLine(3, { has_upcoming_events: true })]);
    await catalogue.refreshUpcoming();
    expect(await upcoming()).toEqual([true, true, true]);
    await new Catalogue(pool, new FixedClock('2026-12-02T00:30:01Z')).refreshUpcoming();
    expect(await upcoming()).toEqual([false, true, false]);
  });
});
