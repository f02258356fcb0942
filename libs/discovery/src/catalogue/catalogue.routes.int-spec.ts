import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { concert, eventLine, performerLine, venueLine } from '../../../../test/support/discovery/catalogue-lines.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const put = (path: string, body: object) => api.staff.send('PUT', `catalogue/${path}`, body);
const get = (path: string) => api.staff.get(`catalogue/${path}`);
const remove = (path: string) => api.staff.send('DELETE', `catalogue/${path}`);
const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19);

describe('the catalogue in the back office', () => {
  it('puts, shows, replaces and removes each kind of document', async () => {
    const documents = [
      ['taxonomies/7', { name: 'sports' }, { id: 7, name: 'sports', parent_id: null }],
      [
        'genres/8',
        { name: 'Hip-Hop / Rap' },
        { id: 8, name: 'Hip-Hop / Rap', slug: 'hip-hop-rap', image: null, images: null },
      ],
      ['venues/9', venueLine(9), { ...venueLine(9), address: null, url: '/v/venue-9-9', score: 0 }],
      [
        'performers/10',
        { name: 'Beyoncé' },
        { id: 10, short_name: 'Beyoncé', slug: 'beyonce', links: [], genres: null },
      ],
      [
        'events/11',
        eventLine(11),
        { ...eventLine(11), performers: [{}], venue: {}, visible_until: '2026-12-02T04:30:00' },
      ],
    ] as const;
    for (const [path, body, shown] of documents) {
      const answer = await put(path, body);
      expect(answer).toMatchObject({ status: 200, body: shown });
      expect(await get(path)).toMatchObject({ status: 200, body: answer.body });
    }
    expect(await put('taxonomies/7', { name: 'games', parent_id: 2_000_000 })).toMatchObject({
      status: 200,
      body: { id: 7, name: 'games', parent_id: 2_000_000 },
    });
    for (const [path] of documents) {
      expect((await remove(path)).status).toBe(200);
      expect(codesOf(await get(path))).toEqual([40400]);
      expect(codesOf(await remove(path))).toEqual([40400]);
    }
  });

  it('shows a change of a venue, a performer, a genre and a taxonomy in the documents that embed them', async () => {
    await put('events/21', {
      ...eventLine(21),
      venue: venueLine(22),
      performers: [
        { ...performerLine(23, { genres: [{ id: 24, name: 'Pop', slug: 'pop', primary: true }] }), primary: true },
      ],
    });
    await put('venues/22', { ...venueLine(22), name: 'Moved', city: 'Boston', state: 'MA' });
    await put('genres/24', { name: 'Dance pop' });
    await put(`taxonomies/${concert.id}`, { name: 'live_music' });
    const genres = [{ id: 24, name: 'Dance pop', slug: 'dance-pop', primary: true }];
    expect((await get('events/21')).body).toMatchObject({
      venue: { name: 'Moved', city: 'Boston' },
      performers: [{ id: 23, genres, primary: true, taxonomies: [{ name: 'live_music' }] }],
      taxonomies: [{ id: concert.id, name: 'live_music' }],
    });
    await put('performers/23', { name: 'Renamed', genres: [{ id: 24 }] });
    expect((await get('events/21')).body).toMatchObject({
      performers: [{ name: 'Renamed', taxonomies: [], primary: true }],
    });
    const { rows } = await api.pool.query(`select city, taxonomy_names from discovery_events where id = 21`);
    expect(rows).toEqual([{ city: 'Boston', taxonomy_names: ['live_music'] }]);
  });

  it('knows which performers have upcoming events', async () => {
    const upcoming = async (id: number) =>
      ((await get(`performers/${id}`)).body as { has_upcoming_events: boolean }).has_upcoming_events;
    const past = { ...eventLine(31), datetime_utc: soon(-2), datetime_local: soon(-2) };
    const performers = [performerLine(32, { has_upcoming_events: true }), performerLine(33), performerLine(34)];
    await put('events/31', { ...past, performers });
    expect([await upcoming(32), await upcoming(33), await upcoming(34)]).toEqual([true, false, false]);

    await put('events/31', { ...past, datetime_utc: soon(2), performers: performers.slice(0, 2) });
    expect([await upcoming(32), await upcoming(33), await upcoming(34)]).toEqual([true, true, false]);
    expect((await get('events/31')).body).toMatchObject({ performers: [{}, { has_upcoming_events: true }] });

    await remove('events/31');
    expect([await upcoming(32), await upcoming(33)]).toEqual([false, false]);
  });

  it('refuses to remove a document that others refer to, and names them', async () => {
    for (let id = 41; id <= 47; id += 1) await put(`events/${id}`, { ...eventLine(id), venue: venueLine(48) });
    await put('taxonomies/49', { name: 'festival', parent_id: concert.id });
    const refused = async (path: string) => {
      const answer = await remove(path);
      expect([answer.status, ...codesOf(answer)]).toEqual([409, 40902]);
      return messagesOf(answer)[0];
    };
    expect(await refused('venues/48')).toMatch(/used by events 41, 42, 43, 44, 45 and more/);
    expect(await refused('performers/1')).toMatch(/used by events 41/);
    expect(await refused(`taxonomies/${concert.id}`)).toMatch(/used by taxonomies 49; performers 1.*; events /);
  });

  it('refuses to remove an event with open orders or listings, and counts them', async () => {
    const refused = async () => {
      const answer = await remove('events/61');
      return [answer.status, ...codesOf(answer), ...messagesOf(answer)];
    };
    await put('events/61', eventLine(61));
    await api.staff.putListing('of-61', { event_id: '61', quantity: 4 });
    await api.staff.putListing('of-61-too', { event_id: '61' });
    expect(await refused()).toEqual([409, 40902, 'Conflict: used by 2 listings']);
    const product = { event_id: '61', listing_id: 'of-61', quantity: 2, total: 180.02 };
    const orders = [await api.wholesale.bought({ product }), await api.wholesale.bought({ product })];
    expect(await refused()).toEqual([409, 40902, 'Conflict: used by 2 open orders; 2 listings']);
    await api.staff.send('DELETE', 'listings/of-61');
    await api.staff.send('DELETE', 'listings/of-61-too');
    await api.staff.changeStatus(orders[0] ?? '', 3007);
    expect(await refused()).toEqual([409, 40902, 'Conflict: used by 1 open order']);
    const sent = { type: 'download', data: { url: 'https://tickets.example/61' } };
    await api.staff.send('POST', `orders/${orders[1]}/fulfillment`, sent);
    expect((await remove('events/61')).status).toBe(200);
    expect((await get('events/61')).status).toBe(404);
  });

  it('answers 400 with the fields that are wrong', async () => {
    const messages = async (path: string, body: object) => {
      const answer = await put(path, body);
      expect([answer.status, ...codesOf(answer)]).toEqual([400, 40001]);
      return messagesOf(answer)[0];
    };
    expect(await messages('events/51', { title: 5, venue: {} })).toMatch(
      /title: .*datetime_local: .*datetime_utc: .*venue\.id: /,
    );
    expect(await messages('events/51', { ...eventLine(51), venue: { id: 52 } })).toMatch(
      /venue\.id: there is no venue 52/,
    );
    expect(await messages('events/0', eventLine(1))).toMatch(/id: must be/);
    expect(await messages('events/99999999999999999', eventLine(1))).toMatch(/id: must be/);
    expect(await messages('taxonomies/53', { name: 'x', parent_id: 53 })).toMatch(/parent_id: a taxonomy cannot/);
    expect(await messages('taxonomies/53', { name: 'x', parent_id: 54 })).toMatch(/parent_id: there is no taxonomy 54/);
    expect(codesOf(await get('events/x'))).toEqual([40001]);
    expect((await get('bands/1')).status).toBe(404);
  });

  it('is for staff only', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await fetch(`${api.url}/backoffice/v1/catalogue/events/1`, { method })).status).toBe(401);
    }
  });
});
