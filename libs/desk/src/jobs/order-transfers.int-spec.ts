import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import type { Job, JobPreview, JobResultList } from '../job.contract.js';
import type { OrderDetail } from '#orders/order.contract';
import { FeedBacklog } from '#event-store/feed-backlog';
import { OrderTransferRunner } from '../files/order-transfer-runner.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { secondPerson, signIn, type SignedIn } from '../../../../test/support/operators.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

const TOKEN = { authorization: `Bearer ${STAFF_TOKEN}` };
const NDJSON = { 'content-type': 'application/x-ndjson' };

let source: TestApi;
let target: TestApi;
const seconds = new Map<TestApi, SignedIn>();
const orders: string[] = [];
beforeAll(async () => {
  [source, target] = await Promise.all([startTestApi(), startTestApi()]);
  for (const api of [source, target]) seconds.set(api, await secondPerson(api, ['operations']));
  await source.staff.putListing('listing', { quantity: 20 });
  const product = { listing_id: 'listing' };
  const [wholesale, card] = [wholesaleBody(), cardBody()];
  for (const ref_id of ['a', 'b']) {
    orders.push(await source.wholesale.bought({ ...wholesale, ref_id, product: { ...wholesale.product, ...product } }));
  }
  orders.push(await source.payment.bought({ ...card, ref_id: 'c', product: { ...card.product, ...product } }));
  await source.staff.changeStatus(orders[0] ?? '', 3004);
  await source.staff.send('POST', `orders/${orders[1]}/fulfillment`, {
    type: 'download',
    data: { url: 'https://tickets.example/1' },
    note: 'Sent by hand.',
  });
  await source.staff.send('PUT', `orders/${orders[2]}/tags`, ['vip']);
});
afterAll(() => Promise.all([source.close(), target.close()]));

const approve = async (api: TestApi, { id }: Pick<Job, 'id'>) =>
  (await seconds.get(api)?.send('POST', `jobs/${id}/approve`))?.body as Job;

/** Approved if it waits, and done as the worker does it. */
async function finished(api: TestApi, job: Job): Promise<Job> {
  if (job.state === 'waiting_for_approval') expect(await approve(api, job)).toMatchObject({ state: 'running' });
  await api.app.get(OrderTransferRunner).step(new AbortController().signal);
  return (await api.staff.get(`jobs/${job.id}`)).body as Job;
}
const start = async (body: object) => (await source.staff.send('POST', 'jobs', body)).body as Job;
const fileOf = async (format: string, more: object = {}) => {
  const job = await finished(source, await start({ kind: 'export_orders', arguments: { format }, ...more }));
  expect(job).toMatchObject({ state: 'done' });
  return { job, text: (await source.staff.get(`jobs/${job.id}/file`)).text };
};
const upload = (api: TestApi, text: string, query: string) =>
  fetch(`${api.url}/backoffice/v1/jobs?kind=import_orders${query}`, {
    method: 'POST',
    headers: { ...TOKEN, ...NDJSON },
    body: text,
  });

/** The test api has another port than its settings say. */
const reachable = (file: Job['file'] | undefined) => {
  const { pathname, search } = new URL(file?.url ?? '');
  return `${source.url}${pathname}${search}`;
};

describe('orders that were exported and imported', () => {
  it('are the same, and the second import changes nothing', async () => {
    const { text } = await fileOf('ndjson');
    const preview = (await (await upload(target, text, '&dry_run=true')).json()) as JobPreview;
    expect(preview).toMatchObject({ total: 3, allowed: 3, refused: 0, needs_approval: true });
    expect((await target.staff.get(`orders/${orders[0]}`)).status).toBe(404);
    const begun = await upload(target, text, '&dry_run=false');
    expect(begun.status).toBe(202);
    const job = await finished(target, (await begun.json()) as Job);
    expect(job).toMatchObject({ kind: 'import_orders', state: 'done', total: 3, done: 3, failed: 0, file: null });
    for (const id of orders) {
      const {
        pings: _pings,
        desk_version: _desk,
        ...order
      } = (await source.staff.get(`orders/${id}`)).body as OrderDetail;
      const { pings, desk_version: _, ...copy } = (await target.staff.get(`orders/${id}`)).body as OrderDetail;
      // The import is an event too, and what it says of persons is not taken for theirs.
      const status_history = order.status_history.map((entry) => ({ ...entry, actor: `imported: ${entry.actor}` }));
      // The listing stays where it is.
      expect(copy).toEqual({ ...order, section: null, row: null, version: order.version + 1, status_history });
      expect(new Set(pings.map(({ state }) => state))).toEqual(new Set(['delivered']));
    }
    // No leader moves events to the feed here.
    vi.spyOn(target.app.get(FeedBacklog), 'oldestMs').mockResolvedValue(0);
    const again = (await (await upload(target, text, '')).json()) as Job;
    expect(await finished(target, again)).toMatchObject({ state: 'done', done: 3, failed: 0 });
    const { results } = (await target.staff.get(`jobs/${again.id}/results`)).body as JobResultList;
    expect(results.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    const { entries } = (await target.staff.get('audit?action=job.started')).body as AuditPage;
    expect(entries.map(({ subject }) => subject)).toEqual([`job:${again.id}`, `job:${job.id}`]);
  });

  it('are refused line by line if they are none', async () => {
    const answer = await upload(target, '{}\nnonsense\n', '&dry_run=true');
    expect(await answer.json()).toMatchObject({ total: 2, allowed: 0, refused: 2 });
  });

  it.each(['application/json', 'text/plain'])('are not read from %s', async (type) => {
    const answer = await fetch(`${target.url}/backoffice/v1/jobs?kind=import_orders`, {
      method: 'POST',
      headers: { ...TOKEN, 'content-type': type },
      body: '{}',
    });
    expect(answer.status).toBe(415);
  });
});

describe('an export', () => {
  it('says what it would have, and has the chosen orders and columns', async () => {
    const body = { kind: 'export_orders', arguments: { format: 'csv', columns: ['id', 'status_code', 'total'] } };
    const dry = await source.staff.send('POST', 'jobs', { ...body, dry_run: true });
    expect([dry.status, dry.body]).toMatchObject([200, { total: 3, allowed: 3, refused: 0 }]);
    const where = { field: 'status_code', op: '=', value: 3004 };
    const { job, text } = await fileOf('csv', { arguments: body.arguments, where });
    const total = wholesaleBody().product.total;
    expect(text).toBe(`id,status_code,total\r\n${orders[0]},3004,${total}\r\n`);
    expect(job).toMatchObject({ total: 1, done: 1, file: { type: 'text/csv; charset=utf-8', bytes: text.length + 3 } });
    const byId = await fileOf('csv', { arguments: body.arguments, ids: [orders[2], 'ord_none'] });
    expect(parse<{ id: string }>(byId.text, { columns: true }).map(({ id }) => id)).toEqual([orders[2]]);
  });

  it.each([
    [{ format: 'pdf' }, 'arguments.format'],
    [{ format: 'csv', columns: ['id', 'cvv'] }, 'arguments.columns.1'],
    [{ format: 'csv', columns: ['id', 'id'] }, 'arguments.columns'],
    [{ format: 'csv', columns: [] }, 'arguments.columns'],
  ])('with %j is refused', async (given, field) => {
    const answer = await source.staff.send('POST', 'jobs', { kind: 'export_orders', arguments: given });
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect(answer.text).toContain(field);
  });

  it('shows people masked data, and programs that may reveal it all', async () => {
    const operator = await signIn(source, ['operations']);
    const { body } = await operator.send('POST', 'jobs', { kind: 'export_orders', arguments: { format: 'csv' } });
    await finished(source, body as Job);
    const { file } = (await operator.send('GET', `jobs/${(body as Job).id}`)).body as Job;
    const [masked, clear] = [await (await fetch(reachable(file))).text(), (await fileOf('csv')).text];
    const email = parse<{ email: string }>(clear, { columns: true }).find((row) => row.email !== '')?.email ?? '';
    expect(email).toContain('@');
    expect(masked).not.toContain(email);
    expect(masked).toContain(`${email[0]}••@`);
  });

  it('as CSV begins with a byte order mark, unless it is switched off', async () => {
    const { job } = await fileOf('csv');
    const link = `${reachable(job.file)}&bom=`;
    const file = `${source.url}/backoffice/v1/jobs/${job.id}/file?bom=`;
    const [marked, plain, linked] = await Promise.all(
      [`${file}true`, `${file}false`, `${link}false`].map(async (url) => {
        const answer = await fetch(url, { headers: TOKEN });
        const content = Buffer.from(await answer.arrayBuffer());
        expect(answer.headers.get('content-length')).toBe(String(content.length));
        return content.toString();
      }),
    );
    expect(marked).toMatch(/^\uFEFFid,ref_id,placed_at \(UTC\),/);
    expect([plain, linked]).toEqual([marked?.slice(1), marked?.slice(1)]);
    const unmarked = await fileOf('csv', { arguments: { format: 'csv', columns: ['id'], bom: false } });
    expect(unmarked.job.file?.bytes).toBe(unmarked.text.length);
    expect((await call(`${file}maybe`, 'GET', undefined, TOKEN)).status).toBe(400);
  });

  it('has a link that ends with the person who asked for it', async () => {
    const operator = await signIn(source, ['operations']);
    const { body } = await operator.send('POST', 'jobs', { kind: 'export_orders', arguments: { format: 'csv' } });
    await finished(source, body as Job);
    const link = reachable(((await operator.send('GET', `jobs/${(body as Job).id}`)).body as Job).file);
    expect((await fetch(link)).status).toBe(200);
    const me = (await operator.send('GET', 'session')).body as { operator: { id: string } };
    expect((await source.staff.send('PATCH', `operators/${me.operator.id}`, { state: 'disabled' })).status).toBe(200);
    expect((await call(link, 'GET')).status).toBe(403);
  });

  it('has a link that needs no credentials, but opens no other file', async () => {
    const { job, text } = await fileOf('csv');
    const link = new URL(reachable(job.file));
    const opened = await fetch(link);
    expect([opened.status, await opened.text()]).toEqual([200, text]);
    expect(opened.headers.get('content-disposition')).toMatch(/^attachment; filename="orders-[\d-]+\.csv"$/);
    const other = await fileOf('csv');
    for (const path of [`/downloads/${other.job.id}`, '/downloads/job_1']) {
      const refused = await call(`${link.origin}${path}${link.search}`, 'GET');
      expect([refused.status, codesOf(refused)]).toEqual([403, [40300]]);
    }
    // A file in clear is not for people, who would reveal order by order.
    const operator = await signIn(source, ['operations']);
    expect((await operator.send('GET', `jobs/${job.id}/file`)).status).toBe(403);
    expect((await operator.send('GET', `jobs/${job.id}`)).body).toMatchObject({ file: null });
  });
});
