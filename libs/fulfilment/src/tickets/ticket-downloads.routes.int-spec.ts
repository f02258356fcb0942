import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Timeline } from '#desk/timeline.contract';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { attachTickets, linkToTicket, PDF } from '../../../../test/support/orders/ticket-files.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { type Answer, call } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import type { TicketLink } from '../ticket.contract.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';

const folder = temporaryFolder('downloads');
let api: TestApi;
let id: string;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi({ FILES_DIR: folder });
  await api.staff.putListing('lst-1', { quantity: 500 });
});
beforeEach(async () => {
  purchases += 1;
  id = await api.payment.bought({ ...cardBody(), ref_id: `download-${purchases}` });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const attach = async (count: number) => {
  const uploads = Array.from({ length: count }, (_, at) => ({ name: `${at}.pdf`, content: PDF }));
  return (await attachTickets(api, id, uploads)).tickets.map((ticket) => ticket.id);
};
const linkOf = (ticketId: string | undefined) => linkToTicket(api, id, ticketId);
async function opened(url: string): Promise<Response> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer;
}
const countOf = async (what: 'events' | 'timeline') => {
  const { body } = await api.staff.get(`orders/${id}/${what}${what === 'timeline' ? '?limit=200' : ''}`);
  if (what === 'timeline') return (body as Timeline).entries.filter(({ kind }) => kind === 'download').length;
  return (body as { events: { type: string }[] }).events.filter(({ type }) => type === 'TicketDownloaded').length;
};

it('a link changes its order once, so that nobody keeps staff from acting on it', async () => {
  const [ticket] = await attach(1);
  const [one, other] = [await linkOf(ticket), await linkOf(ticket)];
  await opened(one);
  const { headers } = await api.staff.get(`orders/${id}`);
  await Promise.all([opened(one), opened(other), opened(other)]);
  await api.staff.get(`orders/${id}/tickets/${ticket}/file`);
  const seen = { 'if-match': headers.get('etag') ?? '' };
  const rejected = await api.staff.send('POST', `orders/${id}/status`, { status_code: 3007 }, seen);
  expect([rejected.status, rejected.text]).toEqual([200, expect.any(String)]);
  expect([await countOf('events'), await countOf('timeline')]).toEqual([1, 5]);
});

it('a link ends with who made it: a person who is disabled or removed, a token that is revoked', async () => {
  const [ticket = ''] = await attach(1);
  const path = `orders/${id}/tickets/${ticket}/link`;
  const urlIn = ({ body }: Answer) => (body as TicketLink).url.replace(PUBLIC_URL, api.url);
  const statusOf = async (url: string) => (await opened(url)).status;
  const body = { name: 'desk', scopes: ['orders:read', 'orders:act'] };
  const token = (await api.staff.send('POST', 'tokens', body)).body as { id: string; token: string };
  const byToken = { authorization: `Bearer ${token.token}` };
  const made = await call(`${api.url}/backoffice/v1/${path}`, 'POST', { expires_in_minutes: 60 }, byToken);
  const people = [await signIn(api, ['support']), await signIn(api, ['support'])];
  const urls = [urlIn(made)];
  for (const { send } of people) urls.push(urlIn(await send('POST', path, { expires_in_minutes: 60 })));
  expect(await Promise.all(urls.map(statusOf))).toEqual([200, 200, 200]);
  // The maker cannot be taken out, and the buyer does not learn who it is.
  expect(urls.join('\n')).not.toContain(people[0]?.id);
  expect(await statusOf((urls[1] ?? '').replace(/&by=[^&]*/, ''))).toBe(403);
  await api.staff.send('DELETE', `tokens/${token.id}`);
  await api.staff.send('PATCH', `operators/${people[0]?.id}`, { state: 'disabled' });
  await api.staff.send('DELETE', `operators/${people[1]?.id}`);
  const answers = await Promise.all(urls.map((url) => call(url, 'GET', undefined, {})));
  expect(answers.map(({ status, text }) => [status, /the link has expired/.test(text)])).toEqual(
    Array.from(urls, () => [403, true]),
  );
  expect(await statusOf(await linkOf(ticket))).toBe(200);
});

it('links open for twelve at once, of one file and of twelve', async () => {
  const urls = await Promise.all([...(await attach(6)), ...(await attach(6))].map(linkOf));
  const statuses = async (all: readonly string[]) =>
    new Set((await Promise.all(all.map(opened))).map(({ status }) => status));
  expect(await statuses(urls)).toEqual(new Set([200]));
  expect(await statuses(Array<string>(12).fill(urls[0] ?? ''))).toEqual(new Set([200]));
  expect([await countOf('events'), await countOf('timeline')]).toEqual([12, 24]);
});

it('a link has a rate for each address, and fills no table', async () => {
  const [ticket] = await attach(1);
  const [one, other] = [await linkOf(ticket), await linkOf(ticket)];
  const answers = [];
  for (let at = 0; at < 60; at += 1) answers.push(await opened(one));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(10);
  expect([refused[0]?.status, Number(refused[0]?.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await opened(other)).status).toBe(200);
  await api.pool.query(
    `insert into ticket_downloads (order_id, ticket_id, link, actor, transaction_id, at)
     select $1, 't', 'l', 'a', 'x', now() from generate_series(1, 1000)`,
    [id],
  );
  for (let at = 0; at < 3; at += 1) await opened(other);
  const { rows } = await api.pool.query(
    'select count(*)::int as rows, max(further) as further from ticket_downloads where order_id = $1',
    [id],
  );
  expect(rows).toEqual([{ rows: answers.length - refused.length + 1_000, further: 3 }]);
});
