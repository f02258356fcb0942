import { mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { OrderTicketList } from '../ticket.contract.js';
import type { Timeline } from '#desk/timeline.contract';
import { ObjectRemovals } from './object-removals.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { STAFF_TOKEN } from '../../../../test/support/callers.js';
import {
  attachTickets,
  formOf,
  JPEG,
  PDF,
  PNG,
  postTickets,
  SCRIPTED_PDF,
  sendLargeTicket,
} from '../../../../test/support/orders/ticket-files.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { exchange, RawConnection, requestText } from '../../../../test/support/raw-http.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';

const folder = temporaryFolder('failing-files');
const away = `${folder}-away`;
const TICKET = { name: 'a.pdf', content: PDF };
let api: TestApi;
let id: string;
let purchases = 0;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const scanner = join(folder, 'scanner');
  writeFileSync(scanner, '#!/bin/sh\nread -r line\ncase "$line" in *1.6*) exit 1;; *1.5*) exit 2;; esac\n', {
    mode: 0o755,
  });
  api = await startTestApi({ FILES_DIR: folder, SCAN_COMMAND: `${scanner} -` });
  await api.staff.putListing('lst-1', { quantity: 500 });
});
beforeEach(async () => {
  purchases += 1;
  id = await api.payment.bought({ ...cardBody(), ref_id: `upload-${purchases}` });
});
afterAll(async () => {
  await api.close();
  for (const path of [folder, away]) rmSync(path, { recursive: true, force: true });
});

const codeOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { errors?: { code: number }[] }).errors?.[0]?.code,
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

it('a file with a script, and one that the scanner refuses, are answered 415, and 503 where it fails; none is kept', async () => {
  const sent = async (content: Buffer) =>
    await codeOf(await postTickets(api, id, formOf([TICKET, { ...TICKET, content }])));
  const ofVersion = (version: string) => Buffer.from(PDF.toString().replace('%PDF-1.7', `%PDF-${version}`));
  expect(await sent(SCRIPTED_PDF)).toEqual([415, 41500]);
  expect(await sent(ofVersion('1.6'))).toEqual([415, 41500]);
  expect(await sent(ofVersion('1.5'))).toEqual([503, 50300]);
  expect((await api.staff.get(`orders/${id}/tickets`)).body).toEqual({ tickets: [] });
  expect(await sent(PDF)).toEqual([201, undefined]);
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
  expect((body as Timeline).entries.filter(({ kind }) => kind === 'download')).toEqual([]);
});

it('tickets are what their content is, however a script sends them', async () => {
  const boundary = 'b0undary';
  const part = (name: string, content: Buffer, type?: string) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n`),
    Buffer.from(`${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`),
    content,
    Buffer.from('\r\n'),
  ];
  const body = Buffer.concat([
    ...part('7:30pm.pdf', PDF),
    ...part('Sec. 104 Row 5', PNG, 'image/x-png'),
    ...part('seat.jpg', JPEG, 'image/pjpeg'),
    ...part('late.png', Buffer.concat([PNG, Buffer.alloc(5_000)]), 'binary/octet-stream'),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  const answer = await api.staff.send('POST', `orders/${id}/tickets`, new Uint8Array(body), {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  });
  expect([
    answer.status,
    ((await api.staff.get(`orders/${id}/tickets`)).body as OrderTicketList).tickets.map(({ name, type }) => [
      name,
      type,
    ]),
  ]).toEqual([
    201,
    [
      ['7:30pm.pdf', 'application/pdf'],
      ['Sec. 104 Row 5', 'image/png'],
      ['seat.jpg', 'image/jpeg'],
      ['late.png', 'image/png'],
    ],
  ]);
});

it('half an upload of a stranger gets one answer, and its connection ends', async () => {
  const connection = new RawConnection(api.url);
  const type = 'Content-Type: multipart/form-data; boundary=b';
  connection.send(
    `POST /backoffice/v1/orders/${id}/tickets HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 9000\r\n\r\n`,
  );
  connection.send('--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n');
  const begun = Date.now();
  // A second one would come after 15 s.
  const answers = await connection.answers(2, 10_000);
  expect(answers.map(({ status, headers }) => [status, headers['connection']])).toEqual([[401, 'close']]);
  expect(Date.now() - begun).toBeLessThan(10_000);
});

it('a stranger who sends on reads the refusal, and a whole upload keeps its connection', async () => {
  expect(await sendLargeTicket(api, id, true, 'wrong')).toBe(401);
  const whole = requestText(
    [`POST /backoffice/v1/orders/${id}/tickets HTTP/1.1`, 'Content-Type: multipart/form-data; boundary=b'],
    '--b--',
  );
  const answers = await exchange(api.url, Buffer.concat([whole, whole]), { answers: 2 });
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
});
