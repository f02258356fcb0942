import { rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, codesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { formOf, PDF } from '../../../../test/support/orders/ticket-files.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { until } from '../../../../test/support/until.js';

const folder = temporaryFolder('idempotency');

let api: TestApi;
let count = 0;

beforeAll(async () => {
  api = await startTestApi({ FILES_DIR: folder });
  await api.staff.putListing('lst-1', { quantity: 500 });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const newKey = () => `key-${(count += 1)}`;
const keyed = (key: string) => ({ 'idempotency-key': key });
const isReplay = ({ headers }: Pick<Answer, 'headers'>) => headers.get('idempotent-replay') === 'true';

describe('a streamed body with an Idempotency-Key', () => {
  const csv = (quantity: number) =>
    `listing_id,event_id,section,row,quantity,split_rule,price,fees,wholesale_price,delivery_methods\n` +
    `csv-1,5512,A,1,${quantity},any,10,1,9,"[{""type"":""will_call"",""name"":""x"",""cost"":0}]"\n`;
  const upload = (key: string, body: string, path = 'listings/import') =>
    api.staff.send('POST', path, body, { ...keyed(key), 'content-type': 'text/csv' });

  it('is compared as it arrived', async () => {
    const key = newKey();
    const [first, second, third] = [await upload(key, csv(4)), await upload(key, csv(4)), await upload(key, csv(5))];
    expect([first.status, first.body]).toMatchObject([200, { imported: 1 }]);
    expect([second.text, isReplay(second)]).toEqual([first.text, true]);
    expect(codesOf(third)).toEqual([42202]);
    expect(codesOf(await upload(key, csv(4), 'listings/import?dry_run=true'))).toEqual([42202]);
    const large = csv(4).repeat(2_000);
    const long = newKey();
    expect((await upload(long, large)).status).toBe(200);
    expect(isReplay(await upload(long, large))).toBe(true);
  });

  it('of several parts is compared by its parts', async () => {
    const id = await api.payment.bought(cardBody());
    const key = newKey();
    const attach = async (name: string, bytes: Buffer) => {
      const answer = await fetch(`${api.url}/backoffice/v1/orders/${id}/tickets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${STAFF_TOKEN}`, ...keyed(key) },
        body: formOf([{ name, type: 'application/pdf', content: bytes }]),
      });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    };
    const [first, second] = [await attach('a.pdf', PDF), await attach('a.pdf', PDF)];
    expect([first.status, second.text, isReplay(second)]).toEqual([201, first.text, true]);
    expect((await attach('a.pdf', Buffer.concat([PDF, Buffer.from('\n')]))).status).toBe(422);
    expect((await api.staff.get(`orders/${id}/tickets`)).body).toMatchObject({ tickets: [{ name: 'a.pdf' }] });
  });

  it('that is refused early is read to its end, and its refusal kept', async () => {
    const key = newKey();
    const send = () =>
      api.staff.send('POST', 'listings/import', 'x'.repeat(500_000), {
        ...keyed(key),
        'content-type': 'multipart/form-data',
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, isReplay(second)]).toEqual([415, 415, true]);
  });

  it('that breaks off is kept by no key', async () => {
    const key = newKey();
    const headers = { ...keyed(key), authorization: `Bearer ${STAFF_TOKEN}`, 'content-type': 'text/csv' };
    const broken = httpRequest(`${api.url}/backoffice/v1/listings/import`, { method: 'POST', headers });
    broken.on('error', () => undefined);
    broken.write(csv(1));
    await until(
      async () => (await api.pool.query('select from idempotency_keys where leased_until is not null')).rowCount,
    );
    broken.destroy();
    const answer = await until(async () => {
      const again = await upload(key, csv(4));
      return again.status !== 409 && again;
    });
    expect([answer.status, isReplay(answer)]).toEqual([200, false]);
  });

  it('that nobody reads leaves the connection to the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (method: string, path: string, body = '', headers = {}) =>
      new Promise<number | undefined>((resolve, reject) => {
        const authorized = { authorization: `Bearer ${STAFF_TOKEN}`, ...headers };
        const sent = httpRequest(
          `${api.url}/backoffice/v1/${path}`,
          { method, agent, headers: authorized },
          (answer) => {
            answer.resume().on('end', () => resolve(answer.statusCode));
          },
        );
        sent.on('error', reject).end(body);
      });
    const key = newKey();
    const type = { 'content-type': 'text/csv', ...keyed(key) };
    const large = csv(1).repeat(5_000);
    const statuses = [
      await send('POST', 'listings/import', large, { ...type, authorization: 'Bearer x' }),
      await send('POST', 'listings/import', large, { ...type, 'idempotency-key': 'k'.repeat(256) }),
      await send('GET', 'listings?limit=1'),
    ];
    agent.destroy();
    expect(statuses).toEqual([401, 400, 200]);
  });
});
