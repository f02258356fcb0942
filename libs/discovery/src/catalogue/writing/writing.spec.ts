import { describe, expect, it } from 'vitest';
import { countryName, provinceCode, stateName } from './place-words.js';
import { eventRow, performerRow, taxonomyRow, venueRow } from './rows.js';
import { slugOf, venueSlugIn } from './slug.js';
import { treeErrors } from './tree.js';

describe('slugs', () => {
  it.each([
    ['Beyoncé', 'beyonce'],
    ['Tim McGraw & Faith Hill', 'tim-mcgraw-faith-hill'],
    ["Guns N' Roses", 'guns-n-roses'],
    ['music_festival', 'music-festival'],
    ['  P!nk  ', 'p-nk'],
    ['米津玄師', '米津玄師'],
    ['St. Louis Blues', 'st-louis-blues'],
    ['???', 'none'],
    ['x'.repeat(201), 'x'.repeat(200)],
    ['𠮷'.repeat(150), '𠮷'.repeat(150)],
    ['ﷺ'.repeat(60), expect.stringMatching(/^.{200}$/u)],
  ])('%s becomes %s', (name, slug) => expect(slugOf(name)).toEqual(slug));

  it('of a venue comes from its address', () => {
    expect(venueSlugIn('https://tickets.example/venues/estadio-nacional-2/tickets')).toBe('estadio-nacional-2');
    expect(venueSlugIn('https://tickets.example/venues/pier-nine?x=1')).toBe('pier-nine');
    expect(venueSlugIn('https://tickets.example/pier-nine')).toBeUndefined();
    expect(venueSlugIn(`https://tickets.example/venues/${'x'.repeat(201)}`)).toBeUndefined();
    expect(venueSlugIn(null)).toBeUndefined();
  });
});

describe('place names', () => {
  it('knows states, provinces and countries', () => {
    expect([stateName('NY', 'US'), stateName('QC', 'CA'), stateName('NY', 'GB'), stateName(null, 'US')]).toEqual([
      'New York',
      'Quebec',
      undefined,
      undefined,
    ]);
    expect([countryName('CA'), countryName('XX'), countryName('Canada'), countryName(null)]).toEqual([
      'Canada',
      undefined,
      undefined,
      undefined,
    ]);
    expect([provinceCode('Ontario'), provinceCode('Sudbury District')]).toEqual(['ON', undefined]);
  });
});

describe('the tree of taxonomies', () => {
  const sports = { id: 1, parent_id: null };

  it('may start with the children', () => {
    expect(treeErrors([], [{ id: 3, parent_id: 2 }, { id: 2, parent_id: 1 }, sports])).toEqual([]);
    expect(treeErrors([sports], [{ id: 2, parent_id: 1 }])).toEqual([]);
  });

  it('has no cycles and no missing parents', () => {
    expect(treeErrors([sports], [{ id: 1, parent_id: 1 }]).map(({ id }) => id)).toEqual([1]);
    expect(treeErrors([sports, { id: 2, parent_id: 1 }], [{ id: 1, parent_id: 2 }]).map(({ id }) => id)).toEqual([1]);
    const [missing, below] = treeErrors(
      [sports],
      [
        { id: 2, parent_id: 9 },
        { id: 3, parent_id: 2 },
      ],
    );
    expect([missing, below]).toEqual([
      { id: 2, message: 'parent_id: there is no taxonomy 9' },
      { id: 3, message: 'parent_id: there is no taxonomy 9' },
    ]);
  });
});

describe('the stored form of a document', () => {
  const event = {
    id: 1,
    title: 'Title',
    datetime_local: '2026-11-21',
    datetime_utc: '2026-11-21T05:00:00Z',
    venue: { id: 2 },
  };

  it('has generated values for missing fields', () => {
    expect(taxonomyRow({ id: 1, name: 'music_festival' })).toMatchObject({ slug: 'music-festival', parent_id: null });
    expect(venueRow({ id: 2, name: 'Pier Nine', state: 'ma', country: 'us' })).toMatchObject({
      slug: 'pier-nine',
      state: 'MA',
      country: 'US',
      place_text: 'MA Massachusetts US United States',
      own: { url: '/v/pier-nine-2', state: 'MA', location: null },
    });
    expect(performerRow({ id: 3, name: 'Zoë', taxonomies: [{ id: 7, name: 'comedy' }] })).toMatchObject({
      slug: 'zoe',
      type: 'comedy',
      genre_ids: undefined,
      own: { short_name: 'Zoë', url: '/p/zoe', links: [], divisions: null },
    });
    expect(eventRow(event, undefined).own).toEqual({
      id: 1,
      title: 'Title',
      short_title: 'Title',
      url: '/e/1',
      type: 'event',
      datetime_local: '2026-11-21T00:00:00',
      datetime_utc: '2026-11-21T05:00:00',
      announce_date: null,
      visible_until: '2026-11-21T09:00:00',
      time_tbd: false,
      date_tbd: false,
      datetime_tbd: false,
    });
  });

  it('has half past three for a time to be determined, and the same moment in UTC', () => {
    const tbd = {
      ...event,
      time_tbd: true,
      datetime_local: '2026-11-21T19:00:00',
      datetime_utc: '2026-11-22T00:00:00',
    };
    const own = { datetime_local: '2026-11-21T03:30:00', datetime_utc: '2026-11-21T08:30:00', time_tbd: true };
    const visible = { visible_until: '2026-11-22T05:00:00' };
    expect(eventRow(tbd, undefined)).toMatchObject({
      ...visible,
      datetime_local: own.datetime_local,
      own: { ...own, ...visible },
    });
    const { own: again } = eventRow({ ...tbd, ...own }, undefined);
    expect(again).toMatchObject(own);
  });

  it.each([
    ['after the clocks went forward', '2026-03-08T20:00:00', '2026-03-09T01:00:00', '2026-03-09T00:00:00'],
    ['after the clocks went back', '2026-11-01T20:00:00', '2026-11-02T00:00:00', '2026-11-02T01:00:00'],
    ['that the clocks skip', '2026-03-08T02:30:00', '2026-03-08T06:30:00', '2026-03-08T07:30:00'],
    ['that the clocks show twice, the first', '2026-11-01T01:30:00', '2026-11-01T05:30:00', '2026-11-01T05:30:00'],
    ['that the clocks show twice, the second', '2026-11-01T01:30:00', '2026-11-01T06:30:00', '2026-11-01T06:30:00'],
    ['that is hours off in the document', '2026-11-01T01:30:00', '2026-11-01T09:00:00', '2026-11-01T09:00:00'],
  ])("has the UTC time of the venue's time zone at a local time %s", (_when, local, given, utc) => {
    const line = { ...event, datetime_local: local, datetime_utc: given };
    expect(eventRow(line, 'America/New_York')).toMatchObject({ datetime_local: local, datetime_utc: utc });
  });

  it.each([
    // The given moments are those of midnight, before the clocks change at two.
    ['forward', '2026-03-08T05:00:00', '2026-03-08T07:30:00', '2026-03-09T04:00:00'],
    ['back', '2026-11-01T04:00:00', '2026-11-01T08:30:00', '2026-11-02T05:00:00'],
  ])('without a time on the day on which the clocks go %s is visible for that whole day', (_way, given, utc, until) => {
    const line = { ...event, time_tbd: true, datetime_local: given.slice(0, 10), datetime_utc: given };
    expect(eventRow(line, 'America/New_York')).toMatchObject({ datetime_utc: utc, visible_until: until });
  });

  it.each([
    ['time_tbd', undefined, '2026-11-22T05:00:00'],
    ['time_tbd', '2026-11-21T12:30:00', '2026-11-22T05:00:00'],
    ['time_tbd', '2026-11-23T00:00:00', '2026-11-23T00:00:00'],
    ['date_tbd', undefined, '2027-11-22T05:00:00'],
    ['date_tbd', '2026-12-24T00:00:00', '2026-12-24T00:00:00'],
  ])('with %s and visible_until %s is visible until %s', (flag, given, until) => {
    const line = { ...event, [flag]: true, ...(given && { visible_until_utc: given }) };
    expect(eventRow(line, 'America/New_York').visible_until).toBe(until);
    expect(eventRow({ ...line, visible_until: given }, undefined).visible_until).toBe(until);
  });

  it('contains each performer once, in the order of the document', () => {
    const performers = [{ id: 9, home_team: true }, { id: 4 }, { id: 9, primary: true }, { id: 5, away_team: true }];
    expect(eventRow({ ...event, performers }, undefined)).toMatchObject({
      performer_ids: [9, 4, 5],
      primary_performer_ids: [9],
      home_team_ids: [9],
      away_team_ids: [5],
    });
  });

  it('contains the names of divisions', () => {
    const divisions = [{ division_level: 1, display_name: 'American League', short_name: null }];
    expect(performerRow({ id: 1, name: 'Team', divisions }).division_text).toBe('American League');
  });
});
