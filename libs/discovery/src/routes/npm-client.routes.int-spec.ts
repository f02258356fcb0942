import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import seatgeek, { type Call, type Options } from 'seatgeek';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Catalogue } from '../catalogue.js';
import { writeSampleCatalogue, sampleCatalogueOn } from '../sample-catalogue.js';
import { EventsAnswer } from './event.contract.js';
import { PerformersAnswer } from './performer.contract.js';
import { VenuesAnswer } from './venue.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { elementsOf, parseXml } from '../../../../test/support/discovery/strict-xml.js';
import type { Json } from './xml-text.js';

const KEY = 'key-of-a-client-from-npm';
const clock = new FixedClock();
const sample = sampleCatalogueOn(clock);

let api: TestApi;
/** The requests as they would have gone to the named host. */
const asked: string[] = [];

beforeAll(async () => {
  api = await startTestApi({ DISCOVERY_CLIENT_ID: KEY });
  await writeSampleCatalogue(new Catalogue(api.pool, clock), clock);
  const { hostname, port } = new URL(api.url);
  const { get } = http;
  const redirected = (url: string, onAnswer: (answer: http.IncomingMessage) => void) => {
    asked.push(url);
    return get(Object.assign(new URL(url), { hostname, port }), onAnswer);
  };
  vi.spyOn(http, 'get').mockImplementation(redirected as typeof get);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await api.close();
});

/** One of its calls with a key, which was introduced after the package was written. */
function answered(call: Call, options: Options = {}): Promise<unknown> {
  return new Promise((done, fail) => {
    call({ ...options, client_id: KEY }, (error, answer) => (error === null ? done(answer) : fail(error)));
  });
}

/** What a page in a browser gets. */
const page = createContext({});

const idsIn = (documents: readonly { id: number }[]) => documents.map(({ id }) => id);

describe('the npm package seatgeek, with only host and port changed, gets', () => {
  it('events', async () => {
    const { meta, events } = EventsAnswer.parse(await answered(seatgeek.events));
    expect(asked.at(-1)).toBe(`http://api.seatgeek.com/2/events/?client_id=${KEY}`);
    expect(meta).toMatchObject({ total: sample.events.length, per_page: 10, page: 1, geolocation: null });
    expect(events).toHaveLength(10);
  });

  it('performers', async () => {
    const { meta, performers } = PerformersAnswer.parse(await answered(seatgeek.performers));
    expect([meta.total, performers.length]).toEqual([sample.performers.length, 10]);
  });

  it('venues', async () => {
    const { meta, venues } = VenuesAnswer.parse(await answered(seatgeek.venues));
    expect([meta.total, venues.length]).toEqual([sample.venues.length, 10]);
  });

  it('each of them by id', async () => {
    const [event, performer, venue] = [sample.events[7]!, sample.performers[7]!, sample.venues[7]!];
    expect(await answered(seatgeek.events, { id: event.id })).toMatchObject({ events: [{ title: event.title }] });
    expect(await answered(seatgeek.performers, { id: performer.id })).toMatchObject({
      performers: [{ name: performer.name }],
    });
    expect(await answered(seatgeek.venues, { id: venue.id })).toMatchObject({ venues: [{ name: venue.name }] });
  });

  it('several by id', async () => {
    const ids = idsIn([sample.events[3]!, sample.events[90]!, sample.events[200]!]);
    const { meta, events } = EventsAnswer.parse(await answered(seatgeek.events, { id: [...ids, 801_255] }));
    expect(asked.at(-1)).toContain(`id=${ids.join('%2C')}%2C801255&`);
    expect(meta.total).toBe(3);
    expect(idsIn(events).toSorted((a, b) => a - b)).toEqual(ids);
  });

  it('only matches of the arguments that it passes on', async () => {
    const options = {
      'venue.city': 'New York',
      'taxonomies.name': 'concert',
      sort: 'score.desc',
      per_page: 3,
      page: 1,
    };
    const { meta, events } = EventsAnswer.parse(await answered(seatgeek.events, options));
    const inNewYork = idsIn(sample.venues.filter(({ city }) => city === 'New York'));
    expect(meta.per_page).toBe(3);
    expect(events.length).toBeGreaterThan(0);
    for (const { venue, type, score } of events) {
      expect([inNewYork.includes(venue.id), type, score <= (events[0]?.score ?? 0)]).toEqual([true, 'concert', true]);
    }
  });

  it('no additional taxonomy for a missing parent, as seatgeek-client sends it', async () => {
    const [league] = sample.taxonomies.filter(({ name }) => name === 'minor_league_baseball');
    const options = { 'taxonomies.id': league?.id ?? 0, per_page: 1 };
    const { meta } = EventsAnswer.parse(await answered(seatgeek.events, { ...options, 'taxonomies.parent_id': '' }));
    expect(meta.total).toBe(EventsAnswer.parse(await answered(seatgeek.events, options)).meta.total);
  });

  it('XML with the content of the JSON', async () => {
    for (const [name, call] of [
      ['events', seatgeek.events],
      ['performers', seatgeek.performers],
      ['venues', seatgeek.venues],
    ] as const) {
      const json = (await answered(call)) as Record<string, Json>;
      const xml = parseXml((await answered(call, { format: 'xml' })) as string);
      const documents = xml.children.filter((child) => child.name === name);
      expect([xml.name, documents]).toEqual(['response', elementsOf(name, json[name] ?? null)]);
    }
  });

  // Outside of a page its JSONP example fails with any server, because it parses the script as JSON.
  it('JSONP in a page', async () => {
    const inserted = new Promise<string>((done) => {
      const body = { appendChild: ({ src }: { src: string }) => done(src) };
      runInContext(readFileSync(createRequire(import.meta.url).resolve('seatgeek/lib/seatgeek.js'), 'utf8'), page);
      Object.assign(page, { document: { createElement: () => ({}), body } });
    });
    const shown = new Promise((done) => Object.assign(page, { done }));
    runInContext(`seatgeek.events({ client_id: '${KEY}', per_page: 2 }, done)`, page);
    const { pathname, search } = new URL(await inserted);
    const answer = await fetch(`${api.url}${pathname}${search}`);
    expect(answer.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
    runInContext(await answer.text(), page);
    expect(await shown).toEqual(
      expect.objectContaining({ events: [expect.any(Object), expect.any(Object)] as unknown[] }),
    );
  });

  it('errors that it can parse', async () => {
    const refused = { errors: [{ message: expect.any(String) as string }], message: expect.any(String) as string };
    expect(await answered(seatgeek.events, { per_page: 5_001 })).toMatchObject({ ...refused, status: 400 });
    const withoutKey = await new Promise((done) => seatgeek.venues((_, answer) => done(answer)));
    expect(asked.at(-1)).toBe('http://api.seatgeek.com/2/venues/');
    expect(withoutKey).toMatchObject({ ...refused, status: 403 });
  });
});
