import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import type { OrderNoteList } from '#orders/order-desk.contract';
import { Sealer } from '#base/sealing';
import { IdempotencyKeys } from '#platform/idempotency-keys';
import { SystemRandomness } from '#base/randomness';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, call, codesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { createTestDatabase } from '../../../../test/support/database.js';
import { checkoutListing } from '../../../../test/support/listing-body.js';
import { signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';

let api: TestApi;
let count = 0;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 500 });
});
afterAll(() => api.close());

const newKey = () => `key-${(count += 1)}`;
const bought = () => api.payment.bought({ ...cardBody(), ref_id: newKey() });
const keyed = (key: string) => ({ 'idempotency-key': key });
const post = (key: string, path: string, body?: unknown) => api.staff.send('POST', path, body, keyed(key));
const isReplay = ({ headers }: Pick<Answer, 'headers'>) => headers.get('idempotent-replay') === 'true';
const notesOf = async (id: string) => ((await api.staff.get(`orders/${id}/notes`)).body as OrderNoteList).notes.length;

/** Waits until a first request about this order is running. */
const runs = (orderId: string) =>
  until(async () => {
    const running = 'select from idempotency_keys where leased_until > clock_timestamp() and orders = $1';
    return ((await api.pool.query(running, [[orderId]])).rowCount ?? 0) > 0;
  });

/** Sets a column of the rows that were written last. */
const change = (set: string) =>
  api.pool.query(`update idempotency_keys set ${set}
    where created_at = (select max(created_at) from idempotency_keys)`);

describe('a request with an Idempotency-Key', () => {
  it('is done once, and answered the same again', async () => {
    const id = await bought();
    const key = newKey();
    const first = await post(key, `orders/${id}/notes`, { text: 'Called.', visibility: 'internal' });
    const second = await post(key, `orders/${id}/notes`, { text: 'Called.', visibility: 'internal' });
    expect([first.status, isReplay(first), isReplay(second)]).toEqual([201, false, true]);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await notesOf(id)).toBe(1);
    const { entries } = (await api.staff.get(`audit?subject=order:${id}`)).body as AuditPage;
    expect(entries).toHaveLength(1);
  });

  it('keeps its ETag, and is repeated though If-Match would refuse it by now', async () => {
    const id = await bought();
    const key = newKey();
    const headers = { ...keyed(key), 'if-match': '"1"' };
    const version = ((await api.staff.get(`orders/${id}`)).body as { version: number }).version;
    const send = () =>
      api.staff.send('POST', `orders/${id}/status`, { status_code: 2001 }, { ...headers, 'if-match': `"${version}"` });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, isReplay(second)]).toEqual([200, 200, true]);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(first.headers.get('etag')).not.toBeNull();
  });

  it('with another body, path, query or method is another request', async () => {
    const [id, other] = [await bought(), await bought()];
    const key = newKey();
    expect((await post(key, `orders/${id}/notes`, { text: 'one' })).status).toBe(201);
    const answers = [
      await post(key, `orders/${id}/notes`, { text: 'two' }),
      await post(key, `orders/${other}/notes`, { text: 'one' }),
      await post(key, `orders/${id}/notes?a=b`, { text: 'one' }),
      await api.staff.send('PATCH', `orders/${id}/buyer`, { text: 'one' }, keyed(key)),
    ];
    expect(answers.map((answer) => [answer.status, ...codesOf(answer)])).toEqual(Array(4).fill([422, 42202]));
    expect([await notesOf(id), await notesOf(other)]).toEqual([1, 0]);
  });

  it('belongs to its caller', async () => {
    const id = await bought();
    const key = newKey();
    const person = await signIn(api, ['support']);
    const send = () => person.send('POST', `orders/${id}/notes`, { text: 'one' }, keyed(key));
    const answers = [await post(key, `orders/${id}/notes`, { text: 'one' }), await send(), await send()];
    expect(answers.map(isReplay)).toEqual([false, false, true]);
    expect(await notesOf(id)).toBe(2);
  });

  it('is refused while the first one runs', async () => {
    const id = await bought();
    const key = newKey();
    const send = (code = 2001) => post(key, `orders/${id}/status`, { status_code: code });
    const client = await api.pool.connect();
    await client.query('begin');
    await client.query('select from orders where id = $1 for update', [id]);
    const first = send();
    await runs(id);
    const second = await send();
    const other = await send(2002);
    await client.query('rollback');
    client.release();
    expect([second.status, codesOf(second), second.headers.get('retry-after')]).toEqual([409, [40907], '1']);
    expect(codesOf(other)).toEqual([42202]);
    expect([(await first).status, isReplay(await send())]).toEqual([200, true]);
  });

  it('may be repeated after its process died: not before the lease ends, and no other request', async () => {
    const id = await bought();
    const key = newKey();
    const send = (text = 'one') => post(key, `orders/${id}/notes`, { text });
    await send();
    // As a process leaves it that dies between the change and the answer.
    await change(`answer = null, leased_until = clock_timestamp() + interval '1 minute'`);
    expect(codesOf(await send())).toEqual([40907]);
    await change(`leased_until = clock_timestamp() - interval '1 millisecond'`);
    expect(codesOf(await send('two'))).toEqual([42202]);
    expect([(await send()).status, isReplay(await send())]).toEqual([201, true]);
  });

  it('prolongs its lease while it runs', async () => {
    const keys = api.app.get(IdempotencyKeys);
    const request = { caller: 'token:x', key: newKey(), text: 'POST /x', orderId: 'ord_x' };
    const claimed = await keys.claim(request);
    await change(`leased_until = clock_timestamp()`);
    await keys.renew();
    expect(await keys.claim(request)).toEqual({ is: 'running' });
    if (claimed.is !== 'claimed') throw new Error(claimed.is);
    await keys.release(claimed.claim);
    expect((await keys.claim(request)).is).toBe('claimed');
  });

  it('keeps no answer of a process whose lease has ended', async () => {
    const keys = api.app.get(IdempotencyKeys);
    const request = { caller: 'token:y', key: newKey(), text: 'POST /x', orderId: undefined };
    const first = await keys.claim(request);
    await change(`leased_until = clock_timestamp()`);
    const second = await keys.claim(request);
    if (first.is !== 'claimed' || second.is !== 'claimed') throw new Error('not claimed');
    const answer = (body: string) => ({ status: 200, headers: {}, body });
    await keys.keep(second.claim, request.text, answer('second'), []);
    await keys.keep(first.claim, request.text, answer('first'), []);
    await keys.release(first.claim);
    expect(await keys.claim(request)).toMatchObject({ is: 'answered', answer: { body: 'second' } });
  });

  it('is remembered for 24 hours', async () => {
    const id = await bought();
    const key = newKey();
    const send = () => post(key, `orders/${id}/notes`, { text: 'one' });
    await send();
    await change(`created_at = clock_timestamp() - interval '23 hours 59 minutes'`);
    await api.app.get(IdempotencyKeys).prune();
    expect(isReplay(await send())).toBe(true);
    await change(`created_at = created_at + interval '1 day'`);
    await api.pool.query(`update idempotency_keys set created_at = clock_timestamp() - interval '24 hours'`);
    expect([isReplay(await send()), await notesOf(id)]).toEqual([false, 2]);
    expect(isReplay(await send())).toBe(true);
    await api.app.get(IdempotencyKeys).prune();
    expect((await api.pool.query('select from idempotency_keys')).rowCount).toBe(1);
  });

  it('is remembered by other processes, and over a restart', async () => {
    const database = await createTestDatabase();
    const before = await startTestApi({}, { ...database, drop: () => Promise.resolve() });
    const key = keyed(newKey());
    const first = await before.staff.send('POST', 'tokens', { name: 'script', scopes: ['orders:read'] }, key);
    await before.close();
    const after = await startTestApi({}, database);
    const second = await after.staff.send('POST', 'tokens', { name: 'script', scopes: ['orders:read'] }, key);
    expect([first.status, second.text, isReplay(second)]).toEqual([201, first.text, true]);
    const { token } = second.body as { token: string };
    const { rows } = await after.pool.query<{ text: string }>(
      `select encode(answer, 'escape') || request::text as text from idempotency_keys`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain(token);
    expect(rows[0]?.text).not.toContain('script');
    await after.close();
  });

  it('gets its answer although the first caller hung up', async () => {
    const id = await bought();
    const key = newKey();
    const client = await api.pool.connect();
    await client.query('begin');
    await client.query('select from orders where id = $1 for update', [id]);
    const headers = { ...keyed(key), authorization: `Bearer ${STAFF_TOKEN}` };
    const first = httpRequest(`${api.url}/backoffice/v1/orders/${id}/status`, { method: 'POST', headers });
    first.on('error', () => undefined);
    first.end('{"status_code": 2001}');
    const send = () => call(`${api.url}/backoffice/v1/orders/${id}/status`, 'POST', '{"status_code": 2001}', headers);
    await runs(id);
    first.destroy();
    await client.query('rollback');
    client.release();
    const answer = await until(async () => {
      const again = await send();
      return again.status === 200 && again;
    });
    expect(isReplay(answer)).toBe(true);
  });
});

describe('the answers that are kept', () => {
  it('are refusals too, but not those that say who may ask', async () => {
    const id = await bought();
    const reader = await signIn(api, ['viewer']);
    const twice = async (send: (key: string) => Promise<Answer>) => {
      const key = newKey();
      const answers = [await send(key), await send(key)];
      return answers.map((answer) => [answer.status, isReplay(answer)]);
    };
    const kept = (status: number) => [
      [status, false],
      [status, true],
    ];
    const notKept = (status: number) => [
      [status, false],
      [status, false],
    ];
    const status = (key: string, body: object, more = {}) =>
      api.staff.send('POST', `orders/${id}/status`, body, { ...keyed(key), ...more });
    expect(await twice((key) => status(key, { status_code: 'x' }))).toEqual(kept(400));
    expect(await twice((key) => status(key, { status_code: 9999 }))).toEqual(kept(422));
    expect(await twice((key) => status(key, { status_code: 1001 }))).toEqual(kept(409));
    expect(await twice((key) => status(key, { status_code: 2001 }, { 'if-match': '"999"' }))).toEqual(kept(412));
    expect(await twice((key) => post(key, 'orders/ord_0/notes', { text: 'x' }))).toEqual(kept(404));
    const denied = (key: string) => reader.send('POST', `orders/${id}/status`, { status_code: 2001 }, keyed(key));
    expect(await twice(denied)).toEqual(notKept(403));
    const unknown = (key: string) => status(key, { status_code: 2001 }, { authorization: 'Bearer x' });
    expect(await twice(unknown)).toEqual(notKept(401));
    const withoutCsrf = (key: string) =>
      reader.send('POST', 'views', { name: 'v' }, { ...keyed(key), 'x-csrf-token': 'x' });
    expect(await twice(withoutCsrf)).toEqual(notKept(403));
  });

  it('are not those of a failure of ours', async () => {
    const id = await bought();
    const key = newKey();
    const send = () => post(key, `orders/${id}/notes`, { text: 'one' });
    await api.pool.query('alter table order_notes rename to order_notes_away');
    const failed = await send();
    await api.pool.query('alter table order_notes_away rename to order_notes');
    expect(failed.status).toBeGreaterThanOrEqual(500);
    const second = await send();
    expect([second.status, isReplay(second)]).toEqual([201, false]);
  });

  it('of nothing are repeated as nothing', async () => {
    const { body } = await api.staff.send('POST', 'operators', {
      email: 'i@example.com',
      name: 'I',
      roles: ['viewer'],
    });
    const token = new URL((body as { invite_url: string }).invite_url).hash.replace(/^#(?:token=)?/, '');
    const invited = token || new URL((body as { invite_url: string }).invite_url).searchParams.get('token');
    const key = newKey();
    const accept = () =>
      call(
        `${api.url}/backoffice/v1/invitations/accept`,
        'POST',
        { token: invited, password: 'correct horse' },
        keyed(key),
      );
    const [first, second] = [await accept(), await accept()];
    expect([first.status, second.status, second.text, isReplay(second)]).toEqual([204, 204, '', true]);
  });

  it('end with the data of the buyer, and the request is not done again', async () => {
    const [id, other] = [await bought(), await bought()];
    const [key, otherKey, found] = [newKey(), newKey(), newKey()];
    const correct = () => api.staff.send('PATCH', `orders/${id}/buyer`, { first_name: 'Augusta' }, keyed(key));
    const note = () => post(otherKey, `orders/${other}/notes`, { text: 'one' });
    const search = () => post(found, 'orders/search', { where: { field: 'id', op: '=', value: id } });
    const first = await correct();
    expect(first.text).toContain('Augusta');
    expect(isReplay(await correct())).toBe(true);
    await note();
    expect((await search()).text).toContain(id);
    await api.staff.send('DELETE', `orders/${id}/personal-data`);
    for (const again of [await correct(), await search()]) {
      expect([again.status, codesOf(again), isReplay(again)]).toEqual([409, [40902], false]);
    }
    expect(isReplay(await note())).toBe(true);
    const { rows } = await api.pool.query(
      'select answer, request, leased_until from idempotency_keys where orders @> array[$1]',
      [id],
    );
    expect(rows).toEqual(Array(2).fill({ answer: null, request: null, leased_until: null }));
  });

  it('are not written after the data of the buyer was erased meanwhile', async () => {
    const keys = api.app.get(IdempotencyKeys);
    const id = await bought();
    const request = { caller: 'token:z', key: newKey(), text: 'POST /x', orderId: id };
    const claimed = await keys.claim(request);
    await api.staff.send('DELETE', `orders/${id}/personal-data`);
    if (claimed.is !== 'claimed') throw new Error(claimed.is);
    await keys.keep(claimed.claim, request.text, { status: 200, headers: {}, body: 'Ada' }, []);
    expect(await keys.claim(request)).toEqual({ is: 'erased' });
  });

  it('can be opened while ENCRYPTION_KEY changes', async () => {
    const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const keysOf = (...all: [Buffer, ...Buffer[]]) => {
      return new IdempotencyKeys(api.pool, new Sealer(all[0], new SystemRandomness(), all.slice(1)));
    };
    const request = { caller: 'token:w', key: newKey(), text: 'POST /x', orderId: undefined };
    const claimed = await keysOf(before).claim(request);
    if (claimed.is !== 'claimed') throw new Error(claimed.is);
    await keysOf(before).keep(claimed.claim, request.text, { status: 200, headers: {}, body: 'x' }, []);
    expect(await keysOf(after, before).claim(request)).toMatchObject({ is: 'answered', answer: { body: 'x' } });
    expect(await keysOf(after, before).claim({ ...request, text: 'POST /y' })).toEqual({ is: 'other request' });
    await api.pool.query('delete from idempotency_keys');
  });
});

describe('the key itself', () => {
  it('has 1 to 255 characters', async () => {
    const id = await bought();
    const statuses = ['', 'k'.repeat(256), 'k'.repeat(255)].map(
      async (key) => (await post(key, `orders/${id}/notes`, { text: 'x' })).status,
    );
    expect(await Promise.all(statuses)).toEqual([400, 400, 201]);
  });

  it('is ignored by sign-in, by reveal, and by other methods', async () => {
    const id = await bought();
    const key = keyed(newKey());
    const reveal = () => api.staff.send('POST', `orders/${id}/personal-data/reveal`, { reason: 'x' }, key);
    const session = () => api.staff.send('POST', 'session', { email: 'nobody@example.com', password: 'x' }, key);
    const put = () => api.staff.send('PUT', 'listings/put-1', checkoutListing({}), key);
    for (const send of [reveal, session, put, reveal, session, put]) expect(isReplay(await send())).toBe(false);
    const { entries } = (await api.staff.get(`audit?subject=order:${id}&action=personal_data.revealed`))
      .body as AuditPage;
    expect(entries).toHaveLength(2);
    const tooLong = keyed('k'.repeat(256));
    expect((await api.staff.send('PUT', 'listings/put-1', checkoutListing({}), tooLong)).status).toBe(200);
  });
});
