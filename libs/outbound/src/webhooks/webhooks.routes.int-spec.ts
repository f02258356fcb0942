import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NoticeList, Webhook, WebhookDeliveryList, TestDelivery, WebhookWithSecret } from '../webhook.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf, messagesOf } from '../../../../test/support/callers.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';
import { isSignedWith, acceptWebhook, WebhookDouble } from '../../../../test/support/webhooks/webhook-double.js';
import { addStreamEntries } from '../../../../test/support/webhooks/webhook-stand.js';

const UNKNOWN = `whk_${'0'.repeat(32)}`;
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

let api: TestApi;
let receiver: WebhookDouble;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' }), WebhookDouble.start()]);
});
afterAll(async () => {
  await receiver.stop();
  await api.close();
});
afterEach(() => {
  receiver.answering = acceptWebhook;
  receiver.received.length = 0;
});

async function made(body: object = {}): Promise<WebhookWithSecret> {
  const answer = await api.staff.send('POST', 'webhooks', { url: receiver.url, ...body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return WebhookWithSecret.parse(answer.body);
}
const read = async (id: string) => Webhook.parse((await api.staff.get(`webhooks/${id}`)).body);

describe('a webhook', () => {
  it('needs only an address, and gets a secret that is shown once', async () => {
    const webhook = await made();
    expect(webhook).toMatchObject({
      url: receiver.url,
      state: 'active',
      statuses: null,
      event_types: null,
      description: null,
      rate_per_second: 500,
      breaker: { state: 'closed', failures: 0, open_until: null },
      pending: 0,
      parked: 0,
    });
    expect(webhook.id).toMatch(/^whk_[0-9a-f]{32}$/);
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = webhook;
    const answer = await api.staff.get(`webhooks/${webhook.id}`);
    expect(answer.body).toEqual(shown);
    expect(answer.text).not.toContain(secret);
    const list = await api.staff.get('webhooks');
    expect(list.body).toMatchObject({ webhooks: expect.arrayContaining([shown]) as unknown });
    expect(list.text).not.toContain(secret);
  });

  it('takes the types of its events by either name, and shows both', async () => {
    const { id, ...webhook } = await made({ types: ['refund.failed'] });
    expect(webhook).toMatchObject({ types: ['refund.failed'], event_types: ['refund.failed'] });
    await api.staff.send('PATCH', `webhooks/${id}`, { types: null });
    expect(await read(id)).toMatchObject({ types: null, event_types: null });
    await api.staff.send('PATCH', `webhooks/${id}`, { event_types: ['dispute.opened'] });
    expect(await read(id)).toMatchObject({ types: ['dispute.opened'], event_types: ['dispute.opened'] });
  });

  it('keeps its options, and its secret is sealed in the database', async () => {
    const terms = {
      statuses: ['confirmed', 'rejected'],
      event_types: ['order.status'],
      description: 'Warehouse',
      rate_per_second: 7,
    };
    const webhook = await made({ ...terms, secret: SECRET, from_position: 0 });
    expect(webhook).toMatchObject({ ...terms, secret: SECRET, from_position: 0, position: 0 });
    const { rows } = await api.pool.query<{ all: string }>(
      `select string_agg(s::text, ' ') as all from webhook_secrets s`,
    );
    expect(rows[0]?.all).not.toContain(Buffer.from(SECRET).toString('hex'));
  });

  it('begins at the current end of the stream, or earlier if requested, but never beyond it', async () => {
    await addStreamEntries(api.pool, [{ position: 41, order_id: `ord_${'a'.repeat(32)}`, sequence: 1 }]);
    expect((await made()).position).toBe(41);
    expect((await made({ from_position: 3 })).position).toBe(3);
    expect((await made({ from_position: 5_000 })).position).toBe(41);
  });

  it.each([
    [{}, 'url'],
    [{ url: 17 }, 'url'],
    [{ url: 'ftp://hooks.example.com/' }, 'url'],
    [{ url: 'http://user:password@127.0.0.1:9000/' }, 'url'],
    [{ url: 'http://127.0.0.1:22/' }, 'url'],
    [{ url: `https://hooks.example.com/${'x'.repeat(2_100)}` }, 'url'],
    [{ url: 'http://127.0.0.1:9000', secret: 'whsec_c2hvcnQ=' }, 'secret'],
    [{ url: 'http://127.0.0.1:9000', secret: 'too short' }, 'secret'],
    [{ url: 'http://127.0.0.1:9000', secret: '' }, 'secret'],
    [{ url: 'http://127.0.0.1:9000', statuses: ['shipped'] }, 'statuses'],
    [{ url: 'http://127.0.0.1:9000', statuses: [] }, 'statuses'],
    [{ url: 'http://127.0.0.1:9000', statuses: 'confirmed' }, 'statuses'],
    [{ url: 'http://127.0.0.1:9000', event_types: ['order.deleted'] }, 'event_types'],
    [{ url: 'http://127.0.0.1:9000', rate_per_second: 0 }, 'rate_per_second'],
    [{ url: 'http://127.0.0.1:9000', from_position: -1 }, 'from_position'],
    [{ url: 'http://127.0.0.1:9000', colour: 'red' }, 'colour'],
  ])('is not made of %j, which names %s', async (body, field) => {
    const before = await tableState(api.pool);
    const answer = await api.staff.send('POST', 'webhooks', body);
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual([40001]);
    expect(messagesOf(answer)[0]).toContain(field);
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
  });

  it('gets all its errors in one answer', async () => {
    const answer = await api.staff.send('POST', 'webhooks', { url: 'ftp://x/', secret: 'short' });
    expect(messagesOf(answer)[0]).toMatch(/url: .*; secret: /);
  });

  it('may be a broker, whose user and password are sealed and never shown', async () => {
    const shown = 'nats://127.0.0.1:1025/willcall';
    const { id, url, kind } = await made({ url: 'nats://ada:pass-word@127.0.0.1:1025/willcall' });
    expect({ url, kind }).toEqual({ url: shown, kind: 'nats' });
    const sealed = async () =>
      (await api.pool.query<{ credentials: Buffer | null }>('select credentials from webhooks where id = $1', [id]))
        .rows[0]?.credentials;
    const before = await sealed();
    expect(before?.includes('pass-word')).toBe(false);
    const same = await api.staff.send('PATCH', `webhooks/${id}`, { url: shown, description: 'B' });
    expect([same.status, await sealed()]).toEqual([200, before]);
    const test = await api.staff.send('POST', `webhooks/${id}/test`, {});
    expect(test.text).not.toContain('pass-word');
    expect(TestDelivery.parse(test.body)).toMatchObject({
      delivered: false,
      error: 'the connection failed: ECONNREFUSED',
      request: { method: 'PUBLISH', url: shown },
    });
    const moved = await api.staff.send('PATCH', `webhooks/${id}`, { url: 'nats://127.0.0.1:1026/willcall' });
    expect([moved.status, await sealed()]).toEqual([200, null]);
    await api.staff.send('DELETE', `webhooks/${id}`, {});
  });

  it('is for staff only', async () => {
    const answer = await call(`${api.url}/backoffice/v1/webhooks`, 'GET');
    expect([answer.status, ...codesOf(answer)]).toEqual([401, 40100]);
    expect((await call(`${api.url}/backoffice/v1/notices`, 'GET')).status).toBe(401);
  });

  it.each([
    ['GET', ''],
    ['PATCH', '', {}],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/rotate'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['POST', '/deliveries/whd_1/send'],
  ])('that there is not answers 404 to %s %s', async (method, path, body?: object) => {
    for (const id of [UNKNOWN, 'x']) {
      const answer = await api.staff.send(method, `webhooks/${id}${path}`, body);
      expect([answer.status, ...codesOf(answer)]).toEqual([404, 40400]);
    }
  });

  it('is changed only in the fields that are sent', async () => {
    const { id } = await made({ statuses: ['confirmed'], description: 'Old' });
    const answer = await api.staff.send('PATCH', `webhooks/${id}`, { description: 'New', statuses: null });
    expect(answer.body).toMatchObject({ url: receiver.url, description: 'New', statuses: null, rate_per_second: 500 });
    const bad = await api.staff.send('PATCH', `webhooks/${id}`, { url: 'ftp://x/' });
    expect([bad.status, messagesOf(bad)[0]]).toEqual([400, expect.stringContaining('url')]);
    expect((await api.staff.send('PATCH', `webhooks/${id}`, { state: 'disabled' })).status).toBe(400);
    expect(await read(id)).toMatchObject({ url: receiver.url, description: 'New', state: 'active' });
  });

  it('keeps concurrent changes of different fields', async () => {
    const { id } = await made();
    for (let round = 1; round <= 5; round += 1) {
      const changes = [{ description: `${round}` }, { statuses: ['rejected'] }, { rate_per_second: round }];
      await Promise.all(changes.map((change) => api.staff.send('PATCH', `webhooks/${id}`, change)));
      expect(await read(id)).toMatchObject({ ...changes[0], ...changes[1], ...changes[2] });
      await api.staff.send('PATCH', `webhooks/${id}`, { statuses: null, description: null });
    }
  });

  it('is paused and resumed, in two ways', async () => {
    const { id } = await made();
    expect((await api.staff.send('POST', `webhooks/${id}/pause`)).body).toMatchObject({ state: 'paused' });
    expect((await api.staff.send('POST', `webhooks/${id}/resume`)).body).toMatchObject({ state: 'active' });
    expect((await api.staff.send('PATCH', `webhooks/${id}`, { state: 'paused' })).body).toMatchObject({
      state: 'paused',
    });
    expect((await api.staff.send('PATCH', `webhooks/${id}`, { state: 'active' })).body).toMatchObject({
      state: 'active',
    });
  });

  it('is removed with its secrets', async () => {
    const { id } = await made();
    expect((await api.staff.send('DELETE', `webhooks/${id}`)).status).toBe(204);
    expect((await api.staff.get(`webhooks/${id}`)).status).toBe(404);
    expect((await api.staff.send('DELETE', `webhooks/${id}`)).status).toBe(404);
    const { rows } = await api.pool.query('select from webhook_secrets where webhook_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('a test message', () => {
  it('is signed, and the answer is shown', async () => {
    const { id, secret } = await made();
    receiver.answering = () => ({ status: 202, body: 'thanks' });
    const result = TestDelivery.parse((await api.staff.send('POST', `webhooks/${id}/test`)).body);
    expect(result).toMatchObject({ delivered: true, http_status: 202, error: null, answer: 'thanks' });
    const [received] = receiver.received;
    expect(received && isSignedWith(secret, received)).toBe(true);
    expect(JSON.parse(received?.body ?? '')).toEqual(result.request.body);
    expect(result.request.body).toMatchObject({ type: 'webhook.test' });
    expect(result.request.headers['webhook-id']).toBe(received?.headers['webhook-id']);
    expect(JSON.stringify(result)).not.toContain('v1,');
  });

  it('that fails is shown too, and disables nothing', async () => {
    const { id } = await made();
    receiver.answering = () => ({ status: 410 });
    expect((await api.staff.send('POST', `webhooks/${id}/test`)).body).toMatchObject({
      delivered: false,
      http_status: 410,
      error: 'the receiver answered 410',
    });
    expect((await read(id)).state).toBe('active');
  });
});

describe('a rotated secret', () => {
  it('signs beside the one before, newest first, until the overlap is over', async () => {
    const webhook = await made();
    const from = Date.now();
    const rotated = WebhookWithSecret.parse((await api.staff.send('POST', `webhooks/${webhook.id}/rotate`)).body);
    expect(rotated.secret).not.toBe(webhook.secret);
    const [newest, before] = rotated.secrets;
    expect(newest?.expires_at).toBeNull();
    const overlap = Date.parse(before?.expires_at ?? '') - from;
    expect(Math.abs(overlap - 24 * 60 * 60 * 1_000)).toBeLessThan(10_000);
    await api.staff.send('POST', `webhooks/${webhook.id}/test`);
    const [received] = receiver.received;
    expect(received?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const { secret } of [webhook, rotated]) expect(received && isSignedWith(secret, received)).toBe(true);
  });

  it('can be brought along, and the one before can end at once', async () => {
    const webhook = await made();
    const bad = await api.staff.send('POST', `webhooks/${webhook.id}/rotate`, { secret: 'whsec_AAAA' });
    expect([bad.status, messagesOf(bad)[0]]).toEqual([400, expect.stringContaining('secret')]);
    const unknownField = await api.staff.send('POST', `webhooks/${webhook.id}/rotate`, { overlap: 5 });
    expect([unknownField.status, messagesOf(unknownField)[0]]).toEqual([400, expect.stringContaining('overlap')]);
    const answer = await api.staff.send('POST', `webhooks/${webhook.id}/rotate`, {
      secret: SECRET,
      overlap_seconds: 0,
    });
    expect(answer.body).toMatchObject({ secret: SECRET });
    expect((await read(webhook.id)).secrets).toHaveLength(1);
    await api.staff.send('POST', `webhooks/${webhook.id}/test`);
    const [received] = receiver.received;
    expect(received && isSignedWith(SECRET, received)).toBe(true);
    expect(received && isSignedWith(webhook.secret, received)).toBe(false);
  });

  it('leaves at most ten that sign', async () => {
    const { id } = await made();
    for (let time = 0; time < 12; time += 1) await api.staff.send('POST', `webhooks/${id}/rotate`);
    expect((await read(id)).secrets).toHaveLength(10);
  });
});

describe('deliveries and notices', () => {
  it('are listed page by page, newest first, with request, answer and time', async () => {
    const { id } = await made({ from_position: 41 });
    const order = `ord_${'b'.repeat(32)}`;
    await addStreamEntries(
      api.pool,
      [1, 2, 3].map((sequence) => ({ position: 100 + sequence, order_id: order, sequence })),
    );
    await api.pool.query(
      `insert into webhook_deliveries (webhook_id, position, order_id, state, tries, next_try_at, created_at)
       select $1, position, order_id, case position when 101 then 'parked' else 'pending' end, 1,
         case when position > 101 then now() end, now() from ping_stream where position > 100`,
      [id],
    );
    await api.pool.query(
      `insert into webhook_attempts values ($1, 101, 1, 'https://old.example.com/', now(), 12, 500, 'the receiver answered 500', 'oh')`,
      [id],
    );
    const first = WebhookDeliveryList.parse((await api.staff.get(`webhooks/${id}/deliveries?limit=2`)).body);
    expect(first.deliveries.map(({ position }) => position)).toEqual([103, 102]);
    const next = await api.staff.get(`webhooks/${id}/deliveries?limit=2&cursor=${first.next_cursor}`);
    const { deliveries, next_cursor } = WebhookDeliveryList.parse(next.body);
    expect(next_cursor).toBeNull();
    expect(deliveries).toMatchObject([
      {
        state: 'parked',
        order_id: order,
        body: { type: 'order.status', data: { id: `png_${'b'.repeat(32)}_1`, position: 101 } },
        attempts: [
          {
            attempt: 1,
            duration_ms: 12,
            http_status: 500,
            error: 'the receiver answered 500',
            answer: 'oh',
            request: {
              method: 'POST',
              url: 'https://old.example.com/',
              headers: { 'webhook-id': `png_${'b'.repeat(32)}_1` },
            },
          },
        ],
      },
    ]);
    const parked = await api.staff.get(`webhooks/${id}/deliveries?state=parked`);
    expect(WebhookDeliveryList.parse(parked.body).deliveries.map(({ position }) => position)).toEqual([101]);
    expect(await read(id)).toMatchObject({ pending: 2, parked: 1 });

    const again = await api.staff.send('POST', `webhooks/${id}/deliveries/${deliveries[0]?.id}/send`);
    expect([again.status, again.body]).toMatchObject([200, { state: 'pending', tries: 0 }]);
    const missing = await api.staff.send('POST', `webhooks/${id}/deliveries/${deliveries[0]?.id}9/send`);
    expect(missing.status).toBe(404);
  });

  it.each(['state=late', 'limit=0', 'limit=201', 'cursor=x', 'colour=red'])('refuse %s, naming it', async (query) => {
    const { id } = await made();
    const answer = await api.staff.get(`webhooks/${id}/deliveries?${query}`);
    expect([answer.status, ...codesOf(answer)]).toEqual([400, 40001]);
    expect(messagesOf(answer)[0]).toContain(query.split('=')[0]);
  });

  it('list the newest notices first', async () => {
    await api.pool.query(
      `insert into operational_notices (kind, subject, message, created_at)
       select 'webhook.disabled', 'whk_' || n, 'gone', now() from generate_series(1, 3) n`,
    );
    const first = NoticeList.parse((await api.staff.get('notices?limit=2')).body);
    expect(first.notices.map(({ subject }) => subject)).toEqual(['whk_3', 'whk_2']);
    const rest = NoticeList.parse((await api.staff.get(`notices?limit=2&cursor=${first.next_cursor}`)).body);
    expect(rest).toMatchObject({ notices: [{ kind: 'webhook.disabled', subject: 'whk_1' }], next_cursor: null });
    expect(NoticeList.parse((await api.staff.get('notices?subject=whk_2')).body).notices).toHaveLength(1);
    expect((await api.staff.get('notices?cursor=x')).status).toBe(400);
  });
});

describe('without WEBHOOK_ALLOW_PRIVATE', () => {
  let strict: TestApi;
  beforeAll(async () => {
    strict = await startTestApi();
  });
  afterAll(() => strict.close());

  it.each([
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://intranet/',
    'https://no-such-host.invalid/',
  ])('%s is refused, naming url, and nothing is made', async (url) => {
    const answer = await strict.staff.send('POST', 'webhooks', { url });
    expect([answer.status, ...codesOf(answer)]).toEqual([400, 40001]);
    expect(messagesOf(answer)[0]).toContain('url: ');
    expect((await strict.staff.get('webhooks')).body).toEqual({ webhooks: [] });
  });

  it('a name that may lead to a public address is taken, whether it can be resolved now or not', async () => {
    const answer = await strict.staff.send('POST', 'webhooks', { url: 'https://hooks.not-yet.example/willcall' });
    expect(answer.status).toBe(201);
    const id = (answer.body as { id: string }).id;
    expect((await strict.staff.send('DELETE', `webhooks/${id}`)).status).toBe(204);
  });
});
