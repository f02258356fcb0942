import { readdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Timeline } from '#contracts/backoffice/timeline';
import { ObjectRemovals } from '#orders/tickets/object-removals';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { STAFF_TOKEN } from '../../../../test/support/callers.js';
import { attachTickets, formOf, PDF, postTickets } from '../../../../test/support/orders/ticket-files.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';

const folder = temporaryFolder('failing-files');
const away = `${folder}-away`;
const TICKET = { name: 'a.pdf', content: PDF };
let api: TestApi;
let id: string;

beforeAll(async () => {
  api = await startTestApi({ FILES_DIR: folder });
  await api.staff.putListing('lst-1', { quantity: 500 });
  id = await api.payment.bought(cardBody());
});
afterAll(async () => {
  await api.close();
  for (const path of [folder, away]) rmSync(path, { recursive: true, force: true });
});

const codeOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { errors: { code: number }[] }).errors[0]?.code,
];
const download = (ticketId: string) =>
  fetch(`${api.url}/backoffice/v1/orders/${id}/tickets/${ticketId}/file`, {
    headers: { authorization: `Bearer ${STAFF_TOKEN}` },
  });

it('an upload whose folder goes away is answered 503, records nothing, and works once the folder is back', async () => {
  vi.spyOn(api.app.get(ObjectRemovals), 'announce').mockImplementationOnce(async () => renameSync(folder, away));
  expect(await codeOf(await postTickets(api, id, formOf([TICKET])))).toEqual([503, 50300]);
  rmSync(folder, { recursive: true, force: true });
  renameSync(away, folder);
  expect((await api.staff.get(`orders/${id}/tickets`)).body).toEqual({ tickets: [] });
  const { tickets } = await attachTickets(api, id, [TICKET]);
  expect((await download(tickets[0]?.id ?? '')).status).toBe(200);
});

it('a file that is gone or damaged is answered 503', async () => {
  const { tickets } = await attachTickets(api, id, [TICKET, TICKET]);
  const files = readdirSync(join(folder, 'tickets', id)).filter((name) => tickets.some((ticket) => ticket.id === name));
  const [gone = '', damaged = ''] = files;
  rmSync(join(folder, 'tickets', id, gone));
  truncateSync(join(folder, 'tickets', id, damaged), 40);
  expect(await codeOf(await download(gone))).toEqual([503, 50300]);
  const answer = await download(damaged);
  expect(await codeOf(answer)).toEqual([503, 50300]);
  expect(answer.headers.get('content-disposition')).toBeNull();
  const { body } = await api.staff.get(`orders/${id}/timeline`);
  // The one of the test before.
  expect((body as Timeline).entries.filter(({ kind }) => kind === 'download')).toHaveLength(1);
});
