import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobList } from '../job.contract.js';
import type { OrderNoteList } from '#orders/order-desk.contract';
import { DatabaseClock } from '#database/database-clock';
import { createPool } from '#database/pool';
import { orderStream } from '#domain/order-stream';
import { EventStore } from '#event-store/event-store';
import { OrderChanges } from '#orders/order-changes';
import { JobNotes } from './job-notes.js';
import { JobStart } from './job-start.js';
import { Jobs, type NewJobRow } from './jobs.js';
import { OrderJobs } from './order-jobs.js';
import type { OrderEventStore } from '#orders/order-event-store';
import { Ids } from '#base/ids';
import { codesOf } from '../../../../test/support/callers.js';
import { applicationUrl } from '../../../../test/support/database.js';
import { JobStand } from '../../../../test/support/orders/job-stand.js';
import { PURCHASE } from '../../../../test/support/orders/received-purchase.js';
import { dyingPool } from '../../../../test/support/postgres/dying-pool.js';
import { countWaiting, holdLock } from '../../../../test/support/postgres/locks.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';

let stand: JobStand;
beforeAll(async () => {
  stand = await JobStand.start();
});
afterAll(() => stand.api.close());
beforeEach(() => stand.nextShow());

describe('a cancelled show', () => {
  it('ends orders whose tickets were not sent, and raises an exception for the others', async () => {
    const [waiting = '', ended = ''] = await stand.bought(2, 'ask');
    const [confirmed = '', shipped = ''] = await stand.bought(2);
    await stand.api.staff.changeStatus(ended, 3004);
    await stand.api.staff.send('POST', `orders/${shipped}/fulfillment`, {
      type: 'ship',
      data: { carrier: 'UPS', tracking_number: '1Z999AA10123456784' },
    });
    const done = await stand.run({ kind: 'cancel_event', event_id: stand.show, arguments: { note: 'Flooded.' } });
    expect(done).toMatchObject({ state: 'done', total: 4, done: 4, failed: 0 });
    expect(await Promise.all([waiting, ended, confirmed, shipped].map((id) => stand.codeOf(id)))).toEqual([
      3007, 3004, 3007, 4007,
    ]);
    const outcomes = new Map((await stand.results(done.id)).map(({ order_id: id, outcome }) => [id, outcome]));
    expect(outcomes.get(ended)).toBe('unchanged');
    expect(await stand.run({ kind: 'cancel_event', event_id: stand.show })).toMatchObject({ total: 4, done: 4 });
    expect((await stand.changesByOrder(done.id)).size).toBe(3);
  });

  it('sells nothing from the beginning of the run on, while other shows do', async () => {
    const body = wholesaleBody();
    const buy = async (listing: string, showId: string) => {
      return await stand.api.wholesale.buy({
        ...body,
        ref_id: stand.refId(),
        product: { event_id: showId, listing_id: listing, quantity: 2, total: body.product.total },
      });
    };
    await stand.api.staff.putListing(`${stand.show}-other`, { event_id: `${stand.show}0`, quantity: 1_000 });
    const buyers = Promise.all(Array.from({ length: 50 }, () => buy(`${stand.show}-now`, stand.show)));
    await until(async () => (await stand.api.staff.available(`${stand.show}-now`)) < 1_000);
    const begun = await stand.begin({ kind: 'cancel_event', event_id: stand.show });
    const bought = await buyers;
    await stand.runner().step();
    const accepted = bought.filter(({ status }) => status === 201);
    const { rows } = await stand.api.pool.query<{ id: string }>('select id from orders where event_id = $1', [
      stand.show,
    ]);
    expect(rows).toHaveLength(accepted.length);
    expect(new Set(await Promise.all(rows.map(({ id }) => stand.codeOf(id))))).toEqual(new Set([3007]));
    expect(await stand.job(begun.id)).toMatchObject({ state: 'done', total: accepted.length });
    expect(accepted.length).toBeGreaterThan(1);
    expect(await stand.api.staff.available(`${stand.show}-now`)).toBe(1_000);
    expect(codesOf(await buy(`${stand.show}-now`, stand.show))).toEqual([40014]);
    expect((await buy(`${stand.show}-other`, `${stand.show}0`)).status).toBe(201);
    // A new listing of the show, and an old one that is offered again.
    await stand.api.staff.putListing(`${stand.show}-late`, { event_id: stand.show });
    await stand.api.staff.putListing(`${stand.show}-now`, { event_id: stand.show });
    expect(codesOf(await buy(`${stand.show}-late`, stand.show))).toEqual([40014]);
    expect(codesOf(await buy(`${stand.show}-now`, stand.show))).toEqual([40014]);
  });

  it('waits for the outcome of a payment that is under way', async () => {
    const id = 'ord_under_way';
    const store = stand.api.app.get<OrderEventStore>(EventStore);
    const purchase = {
      ...PURCHASE,
      product: stand.product('now'),
      listing_version: 1,
      confirmation: 'automatic' as const,
      personal: null,
    };
    const metadata = { transaction_id: 't', actor: 'platform:test' };
    await store.append(store.fresh(orderStream(id)), [{ type: 'PurchaseReceived', data: purchase }], { metadata });
    const { id: jobId } = await stand.begin({ kind: 'cancel_event', event_id: stand.show });
    await stand.runner().step();
    expect(await stand.job(jobId)).toMatchObject({ state: 'running', total: 1, done: 0 });
    const outcome = {
      is: 'authorised',
      provider: 'sandbox',
      reference: 'r',
      amount_cents: 1,
      capture_before: null,
    } as const;
    await stand.api.app
      .get(OrderChanges)
      .apply(id, { type: 'RecordPaymentOutcome', outcome, platformWaits: true }, metadata);
    expect(await stand.codeOf(id)).toBe(2000);
    await stand.finished(jobId);
    expect(await stand.codeOf(id)).toBe(3007);
  });
});

const put = async (path: string, body: object) => {
  const answer = await stand.api.staff.send('PUT', `catalogue/${path}`, body);
  if (answer.status !== 200) throw new Error(answer.text);
};
const putShow = (id: string, local: string, utc: string, venue: number) =>
  put(`events/${id}`, { title: 'Ada Quartet', datetime_local: local, datetime_utc: utc, venue: { id: venue } });
/** The show in New York, in winter. */
const inCatalogue = async () => {
  await put('venues/9001', { name: 'Hall', city: 'New York', state: 'NY', country: 'US' });
  await putShow(stand.show, '2027-12-04T20:00:00', '2027-12-05T01:00:00', 9001);
};
const readShow = async () => (await stand.api.staff.get(`catalogue/events/${stand.show}`)).body;
const notesOf = async (id: string) => ((await stand.api.staff.get(`orders/${id}/notes`)).body as OrderNoteList).notes;

describe('a moved show', () => {
  const move = (given: object) => ({ kind: 'move_event', event_id: stand.show, arguments: given });

  it('gets its new venue and time by the clock there, and its open orders a note; purchases go on', async () => {
    await inCatalogue();
    await put('venues/9002', { name: 'Dome', city: 'Los Angeles', state: 'CA', country: 'US' });
    await putShow('8901', '2028-01-02T20:00:00', '2028-01-03T04:00:00', 9002);
    await putShow('8902', '2028-06-02T20:00:00', '2028-06-03T03:00:00', 9002);
    const [open = '', ended = ''] = await stand.bought(2);
    await stand.api.staff.changeStatus(ended, 3010);
    const given = { venue_id: 9002, datetime_local: '2028-07-07T19:30:00', note: 'Storm.' };
    const preview = await stand.preview(move(given));
    expect(preview).toMatchObject({
      total: 2,
      allowed: 1,
      unchanged: 1,
      amount_returned: 0,
      effects: { note: 1, ping: 0 },
    });
    expect(await readShow()).toMatchObject({ venue: { id: 9001 } });
    const begun = await stand.begin(move(given));
    const [later = ''] = await stand.bought(1);
    await stand.runner().step();
    expect(await stand.job(begun.id)).toMatchObject({ state: 'done', total: 2, done: 2 });
    // In summer, as the show there that is nearest to it.
    expect(await readShow()).toMatchObject({
      venue: { id: 9002, name: 'Dome' },
      datetime_local: '2028-07-07T19:30:00',
      datetime_utc: '2028-07-08T02:30:00',
    });
    expect(await notesOf(open)).toMatchObject([
      {
        text: 'The event was moved to Dome, Los Angeles, CA. Its new date is 2028-07-07, 19:30. Storm.',
        visibility: 'partner',
      },
    ]);
    expect([await notesOf(ended), await notesOf(later)]).toEqual([[], []]);
    expect(await stand.codeOf(later)).toBe(2000);
  });

  it('keeps its date if only the venue changes, and its distance to UTC if nothing there says another', async () => {
    await inCatalogue();
    await put('venues/9003', { name: 'Field', city: 'Lima', country: 'PE' });
    const [id = ''] = await stand.bought(1);
    await stand.run(move({ venue_id: 9003 }));
    expect(await readShow()).toMatchObject({ venue: { id: 9003 }, datetime_utc: '2027-12-05T01:00:00' });
    expect(await notesOf(id)).toMatchObject([
      { text: 'The event was moved to Field, Lima. Its date stays as it was.' },
    ]);
  });

  it('has its runs listed', async () => {
    await inCatalogue();
    const { id } = await stand.run(move({ venue_id: 9001 }));
    const { body } = await stand.api.staff.get(`jobs?event_id=${stand.show}`);
    expect(body).toMatchObject({ jobs: [{ id, kind: 'move_event' }] });
    expect((await stand.api.staff.get('jobs?event_id=1')).body).toMatchObject({ jobs: [] });
  });

  it('is refused without such a show or venue, and nothing is left behind', async () => {
    const wrong = [move({ venue_id: 9001 }), { ...move({ venue_id: 77 }), event_id: '8901' }];
    for (const body of wrong) expect(codesOf(await stand.api.staff.send('POST', 'jobs', body))).toEqual([42201]);
    expect(codesOf(await stand.api.staff.send('POST', 'jobs', move({})))).toEqual([40001]);
    expect((await stand.api.staff.get(`jobs?event_id=${stand.show}`)).body).toMatchObject({ jobs: [] });
  });

  it('changes together with the begin of its run, wherever the process dies', async () => {
    await inCatalogue();
    await put('venues/9002', { name: 'Dome', city: 'Los Angeles', state: 'CA', country: 'US' });
    const ids = await stand.bought(3);
    const pool = createPool({
      databaseUrl: applicationUrl(stand.api.databaseUrl),
      max: 2,
      applicationName: 'test',
      onError: () => undefined,
    });
    const { app } = stand.api;
    const run: NewJobRow = {
      kind: 'move_event',
      arguments: { venue_id: 9002 },
      note: undefined,
      shownSelection: { event_id: stand.show },
      orders: { event_id: stand.show },
      requestedBy: 'token:test',
    };
    let at = 0;
    for (let isBegun = false; !isBegun;) {
      at += 1;
      const dying = dyingPool(pool, at, 'request');
      const jobs = new Jobs(dying.pool, app.get(DatabaseClock), app.get(Ids), app.get(JobNotes), app.get(JobStart));
      await jobs.begin(run).catch(() => undefined);
      const { body } = await stand.api.staff.get(`jobs?event_id=${stand.show}`);
      isBegun = (body as JobList).jobs.length > 0;
      expect(await readShow()).toMatchObject({ venue: { id: isBegun ? 9002 : 9001 } });
    }
    expect(at).toBeGreaterThan(8);
    await stand.runner().step();
    for (const id of ids) expect(await notesOf(id)).toHaveLength(1);
    await pool.end();
  });
});

describe('a postponed show', () => {
  it('gets its new time, and its open orders a note that brokers see', async () => {
    await inCatalogue();
    const [open = '', ended = ''] = await stand.bought(2);
    await stand.api.staff.changeStatus(ended, 3010);
    const given = { datetime_local: '2028-01-07T19:30:00', note: 'Storm.' };
    const body = { kind: 'postpone_event', event_id: stand.show, arguments: given };
    expect(await stand.preview(body)).toMatchObject({
      total: 2,
      allowed: 1,
      unchanged: 1,
      effects: { ping: 0, note: 1 },
    });
    const { id } = await stand.run(body);
    expect(await stand.job(id)).toMatchObject({
      state: 'done',
      done: 2,
      arguments: { datetime_local: given.datetime_local },
    });
    expect((await stand.results(id)).map(({ order_id: one, outcome }) => [one, outcome])).toEqual(
      expect.arrayContaining([
        [open, 'done'],
        [ended, 'unchanged'],
      ]),
    );
    const shown = await stand.api.staff.get(`catalogue/events/${stand.show}`);
    expect(shown.body).toMatchObject({
      datetime_local: '2028-01-07T19:30:00',
      datetime_utc: '2028-01-08T00:30:00',
      visible_until: '2028-01-08T04:30:00',
    });
    const { notes } = (await stand.api.staff.get(`orders/${open}/notes`)).body as OrderNoteList;
    expect(notes).toMatchObject([
      { text: 'The event was postponed to 2028-01-07, 19:30. Storm.', visibility: 'partner' },
    ]);
    await stand.run({ kind: 'postpone_event', event_id: stand.show });
    expect((await stand.api.staff.get(`catalogue/events/${stand.show}`)).body).toMatchObject({
      date_tbd: true,
      time_tbd: true,
      datetime_utc: '2028-01-07T08:30:00',
      visible_until: '2029-01-07T05:00:00',
    });
    expect(((await stand.api.staff.get(`orders/${ended}/notes`)).body as OrderNoteList).notes).toEqual([]);
  });

  it.each([
    ['given in the catalogue', 9101, { timezone: 'America/New_York' }],
    ['of its place', 9102, { location: { lat: 40.7505, lon: -73.9934 } }],
    [
      'given, also where its place has another',
      9103,
      { timezone: 'America/New_York', location: { lat: 34, lon: -118 } },
    ],
  ])('gets its time by the time zone of the venue %s, whatever the season', async (_how, venue, zone) => {
    await put(`venues/${venue}`, { name: 'Pier', ...zone });
    await putShow(stand.show, '2027-12-04T20:00:00', '2027-12-05T01:00:00', venue);
    const datetime_local = '2028-07-07T19:30:00';
    await stand.run({ kind: 'postpone_event', event_id: stand.show, arguments: { datetime_local } });
    expect(await readShow()).toMatchObject({ datetime_local, datetime_utc: '2028-07-07T23:30:00' });
  });

  it('keeps its local time if its venue gets another time zone', async () => {
    await put('venues/9104', { name: 'Pier', location: { lat: 40.7505, lon: -73.9934 } });
    await putShow(stand.show, '2027-12-04T20:00:00', '2027-12-05T01:00:00', 9104);
    await put('venues/9104', { name: 'Pier', timezone: 'America/Denver' });
    expect(await readShow()).toMatchObject({
      datetime_local: '2027-12-04T20:00:00',
      datetime_utc: '2027-12-05T03:00:00',
    });
  });

  it('refuses a time zone that does not exist', async () => {
    for (const timezone of ['America/Gotham', '+05:00', 'EST5EDT ', 7]) {
      const { status, text } = await stand.api.staff.send('PUT', 'catalogue/venues/9105', { name: 'Pier', timezone });
      expect([status, text]).toEqual([400, expect.stringContaining('timezone')]);
    }
  });

  it('is previewed while somebody erases the buyer of an order, but its notes wait until that is over', async () => {
    await inCatalogue();
    const id = await stand.paid();
    const body = { kind: 'postpone_event', event_id: stand.show, arguments: { note: 'Storm.' } };
    const { pool } = stand.api;
    const release = await holdLock(pool, `select from personal_data_keys where order_id = '${id}' for update`);
    // If it waited for the row, it would be answered 503.
    expect(await stand.preview(body)).toMatchObject({ total: 1, allowed: 1, effects: { note: 1 } });
    const run = stand.run(body);
    await until(async () => (await countWaiting(pool, 'willcall api')) === 1);
    expect(await notesOf(id)).toEqual([]);
    await release();
    expect(await run).toMatchObject({ state: 'done', done: 1 });
    expect(await notesOf(id)).toHaveLength(1);
  });
});

it('a cancellation rests between its batches, and holds up no other job meanwhile', async () => {
  await stand.bought(24);
  const { id } = await stand.begin({ kind: 'cancel_event', event_id: stand.show });
  await stand.nextShow();
  const { id: otherId } = await stand.begin({
    kind: 'change_status',
    ids: await stand.bought(96),
    arguments: { status_code: 2001 },
  });
  const work = stand.api.app.get(OrderJobs);
  const apply = work.apply.bind(work);
  const batches: { isCancellation: boolean; began: number; ended: number }[] = [];
  const spy = vi.spyOn(work, 'apply').mockImplementation(async (client, job, items) => {
    const began = performance.now();
    const outcomes = await apply(client, job, items);
    batches.push({ isCancellation: job.id === id, began, ended: performance.now() });
    return outcomes;
  });
  await stand.runner().step();
  spy.mockRestore();
  const cancellations = batches.filter(({ isCancellation }) => isCancellation);
  const rests = cancellations.slice(1).map((next, index) => {
    const { began, ended } = cancellations[index]!;
    return { from: ended, until: next.began, least: 3 * (ended - began) };
  });
  expect(rests.length).toBeGreaterThan(0);
  for (const { from, until: end, least } of rests) expect(end - from).toBeGreaterThan(least);
  const others = batches.filter(({ isCancellation }) => !isCancellation);
  expect(others.some(({ began }) => rests.some(({ from, least }) => began > from && began < from + least))).toBe(true);
  await Promise.all([stand.finished(id), stand.finished(otherId)]);
});

describe('a process that dies', () => {
  it.each(['request', 'response'] as const)('at any statement (%s lost) does no order twice', async (lost) => {
    const options = {
      databaseUrl: applicationUrl(stand.api.databaseUrl),
      max: 2,
      applicationName: 'test',
      onError: () => undefined,
    };
    const pool = createPool(options);
    const ids = [...(await stand.bought(20)), ...(await stand.bought(20, 'ask'))];
    const { id } = await stand.begin({ kind: 'cancel_event', event_id: stand.show });
    let died = 0;
    for (let at = 1; (await stand.job(id)).state === 'running'; at += 1) {
      const dying = dyingPool(pool, at, lost);
      await stand
        .runner(dying.pool)
        .step()
        .then(
          () => undefined,
          () => (died += 1),
        );
    }
    // A batch of eight orders takes 13 statements.
    expect(died).toBeGreaterThan(10);
    await pool.end();
    expect(await stand.job(id)).toMatchObject({ state: 'done', done: 40, failed: 0 });
    // An order that was changed without its result would be `unchanged` the second time.
    expect(new Set((await stand.results(id)).map(({ outcome }) => outcome))).toEqual(new Set(['done']));
    const changes = await stand.changesByOrder(id);
    expect([...changes.keys()].toSorted()).toEqual(ids.toSorted());
    expect(new Set(changes.values())).toEqual(new Set([1]));
  });

  it('leaves a job that two others finish together', async () => {
    const ids = await stand.bought(50);
    const { id } = await stand.begin({ kind: 'change_status', ids, arguments: { status_code: 2001 } });
    const colleagues = ids.slice(0, 5).map((one) => stand.api.staff.changeStatus(one, 4006));
    await Promise.all([stand.runner().step(), stand.runner().step(), ...colleagues]);
    expect(await stand.finished(id)).toMatchObject({ state: 'done', done: 50 });
    expect(new Set((await stand.changesByOrder(id)).values())).toEqual(new Set([1]));
  });
});
