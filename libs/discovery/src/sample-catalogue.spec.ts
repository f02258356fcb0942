import { describe, expect, it } from 'vitest';
import { CATALOGUE_LINES } from './catalogue.contract.js';
import { sampleListingsOn } from '#listings/sample-listings';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { localOf, utcOf } from './local-time.js';
import { sampleCatalogueOn } from './sample-catalogue.js';
import { sampleStockFor } from '#listings/sample-stock';

const clock = new FixedClock('2026-11-21T13:45:00.000Z');
const sample = sampleCatalogueOn(clock);
const times = sample.events.map(({ datetime_utc: utc }) => Date.parse(`${utc}Z`));

describe('the sample catalogue', () => {
  it('has about 300 events, each valid and with its own id', () => {
    expect(sample.events.length).toBeGreaterThan(270);
    expect(sample.events.length).toBeLessThan(330);
    for (const kind of ['taxonomies', 'genres', 'venues', 'performers', 'events'] as const) {
      expect(new Set(sample[kind].map(({ id }) => id)).size).toBe(sample[kind].length);
      for (const line of sample[kind]) expect(CATALOGUE_LINES[kind].safeParse(line).error?.issues).toBeUndefined();
    }
  });

  it('refers only to its own documents', () => {
    const known = (kind: 'taxonomies' | 'venues' | 'performers') => new Set(sample[kind].map(({ id }) => id));
    const [taxonomies, venues, performers] = [known('taxonomies'), known('venues'), known('performers')];
    for (const event of sample.events) {
      expect(venues.has(event.venue.id)).toBe(true);
      expect(event.performers?.every(({ id }) => performers.has(id))).toBe(true);
      expect(event.taxonomies?.every(({ id }) => taxonomies.has(id))).toBe(true);
      expect(event.performers?.filter(({ primary }) => primary)).toHaveLength(1);
    }
  });

  it('is close to today: some events are past, most are in the future', () => {
    const days = times.map((at) => (at - clock.now()) / 86_400_000);
    expect(days.filter((ahead) => ahead < 0).length).toBeGreaterThan(10);
    expect(days.filter((ahead) => ahead > 0 && ahead < 7).length).toBeGreaterThan(10);
    expect(Math.min(...days)).toBeGreaterThan(-20);
    expect(Math.max(...days)).toBeLessThan(130);
  });

  it('is the same all day, and different the next day', () => {
    expect(sampleCatalogueOn(new FixedClock('2026-11-21T23:59:59.000Z'))).toEqual(sample);
    expect(sampleCatalogueOn(new FixedClock('2026-11-22T00:00:00.000Z')).events).not.toEqual(sample.events);
  });

  it('has the events of the sample listings, at the same times', () => {
    for (const { body } of sampleListingsOn(clock)) {
      const event = sample.events.find(({ id }) => String(id) === body.event_id);
      expect(event?.title).toBe(body.market_specific_fields?.['event']);
      expect(`${event?.datetime_utc}.000Z`).toBe(body.market_specific_fields?.['starts_at']);
      const venue = sample.venues.find(({ id }) => id === event?.venue.id);
      expect(`${venue?.name}, ${venue?.city}, ${venue?.state}`).toBe(body.market_specific_fields?.['venue']);
    }
  });

  it('includes rare cases: times to be determined, both countries, home teams, genres', () => {
    const tbd = sample.events.filter(({ time_tbd: isTbd }) => isTbd);
    expect(tbd.length).toBeGreaterThan(3);
    for (const event of tbd) expect(event.datetime_local).toMatch(/T03:30:00$/);
    expect(sample.events.filter(({ date_tbd: isTbd }) => isTbd)).toHaveLength(1);
    expect(new Set(sample.venues.map(({ country }) => country))).toEqual(new Set(['US', 'CA']));
    const games = sample.events.filter(({ performers }) => performers?.some(({ away_team: isAway }) => isAway));
    expect(games.length).toBeGreaterThan(70);
    for (const { performers } of games)
      expect(performers?.map(({ home_team: isHome }) => isHome)).toEqual([true, undefined]);
    expect(sample.performers.filter(({ genres }) => genres?.[0]?.primary).length).toBeGreaterThan(30);
  });

  it('has listings for most future events and none for past ones', () => {
    const stock = sampleStockFor(sample.events, clock.now());
    expect(sampleStockFor(sample.events, clock.now())).toEqual(stock);
    expect(new Set(stock.map(({ id }) => id)).size).toBe(stock.length);
    const listed = new Set(stock.map(({ body }) => Number(body.event_id)));
    const upcoming = sample.events.filter((_, at) => times[at]! > clock.now()).map(({ id }) => id);
    expect([...listed].every((id) => upcoming.includes(id))).toBe(true);
    expect(listed.size / upcoming.length).toBeGreaterThan(0.8);
    expect(listed.size).toBeLessThan(upcoming.length);
  });
});

describe('local times', () => {
  it.each([
    ['2026-11-21T19:30:00', 'America/New_York', '2026-11-22T00:30:00'],
    ['2026-07-01T19:30:00', 'America/New_York', '2026-07-01T23:30:00'],
    ['2026-07-01T19:30:00', 'America/Phoenix', '2026-07-02T02:30:00'],
    ['2026-11-01T03:30:00', 'America/Chicago', '2026-11-01T09:30:00'],
    ['2026-03-08T03:30:00', 'America/Chicago', '2026-03-08T08:30:00'],
    ['2026-01-01T00:00:00', 'America/Halifax', '2026-01-01T04:00:00'],
  ])('%s in %s is %s in UTC', (local, zone, utc) => {
    expect(new Date(utcOf(Date.parse(`${local}Z`), zone)).toISOString().slice(0, 19)).toBe(utc);
    expect(new Date(localOf(Date.parse(`${utc}Z`), zone)).toISOString().slice(0, 19)).toBe(local);
  });
});
