import 'reflect-metadata';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { parseSettings } from '#base/load-settings';
import type { ErrorBody } from '#web/error-body.contract';
import { createLogger } from '#platform/logger';
import { applicationUrl, createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { listingBody } from '../../../test/support/listing-body.js';
import { until } from '../../../test/support/until.js';
import { createApi } from './start-api.js';

// As short as the tests can bear, so that one of them can outlast it.
const REQUEST_TIMEOUT_MS = 1_000;
const TOKEN = 'a-token-of-an-administrator';

let database: TestDatabase;
let app: NestFastifyApplication;
let pool: Pool;
let listingsUrl: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = ownerPool(database.url);
  const settings = parseSettings({
    DATABASE_URL: applicationUrl(database.url),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    BACKOFFICE_TOKEN: TOKEN,
    REQUIRE_HTTPS: 'false',
    DOCS: 'true',
  });
  app = await createApi(settings, createLogger('test', 'silent'), new TimeOrderedIds());
  const server = app.getHttpServer() as Server;
  // Node takes the two time-outs the other way round when the one for headers is longer.
  Object.assign(server, { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
  Object.assign(server, { connectionsCheckingInterval: 50 });
  await app.listen(0, '127.0.0.1');
  listingsUrl = `${await app.getUrl()}/backoffice/v1/listings`;
});

afterAll(async () => {
  await app.close();
  await pool.end();
  await database.drop();
});

type Body = string | ReadableStream;
type Answer = { status: number; body: unknown };

async function send(
  method: string,
  path: string,
  body?: Body,
  headers: object = {},
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await fetch(`${listingsUrl}/${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    ...(body !== undefined && { body, duplex: 'half' }),
    ...(signal && { signal }),
  });
  return { status: response.status, body: await response.json() };
}

function put(id: string, body: object): Promise<Answer> {
  return send('PUT', id, JSON.stringify(body), { 'content-type': 'application/json' });
}

function importAs(mediaType: string, body: Body, signal?: AbortSignal): Promise<Answer> {
  return send('POST', 'import', body, { 'content-type': mediaType }, signal);
}

const codes = ({ body }: Answer) => (body as ErrorBody).errors.map(({ code }) => code);
const message = ({ body }: Answer) => (body as ErrorBody).errors[0]?.message;
const line = (id: string, change: object = {}) => JSON.stringify({ listing_id: id, ...listingBody(), ...change });

describe('a listing of the back office', () => {
  it('is put, read, replaced and withdrawn', async () => {
    const body = listingBody({ seats: ['1', '2'], tax_rates: { 'US-NY': 0.08875 }, notes: 'Aisle' });
    const first = await put('lst-1', body);
    expect(first).toMatchObject({ status: 200, body: { listing_id: 'lst-1', ...body, version: 1, held: 0 } });
    expect(await send('GET', 'lst-1')).toEqual(first);
    const second = await put('lst-1', { ...body, quantity: 3 });
    expect(second).toMatchObject({ status: 200, body: { version: 2, quantity: 3, withdrawn_at: null } });
    const withdrawn = await send('DELETE', 'lst-1');
    expect(withdrawn).toMatchObject({ status: 200, body: { version: 3, withdrawn_at: expect.any(String) as string } });
    expect(await send('GET', 'lst-1')).toEqual(withdrawn);
    expect(await put('lst-1', body)).toMatchObject({ body: { version: 4, withdrawn_at: null } });
  });

  it('can be read, changed and sent back', async () => {
    const { body: made } = await put('lst-back', listingBody({ seats: ['1'], notes: 'Aisle' }));
    const { body: read } = await send('GET', 'lst-back');
    const changed = await put('lst-back', { ...(read as object), price: 99 });
    expect(changed).toMatchObject({
      status: 200,
      body: { ...(made as object), price: 99, version: 2, updated_at: expect.any(String) as string },
    });
    const another = await put('lst-back', { ...(read as object), listing_id: 'lst-other' });
    expect([another.status, codes(another), message(another)]).toEqual([
      400,
      [40001],
      expect.stringContaining('listing_id'),
    ]);
    expect(await send('GET', 'lst-back')).toMatchObject({ body: { version: 2 } });
  });

  it('is changed in some fields, and keeps the stock that was sold meanwhile', async () => {
    await put('lst-part', listingBody({ quantity: 6, seats: ['1'], notes: 'Aisle' }));
    const patch = (change: object, version = '"1"') =>
      send('PATCH', 'lst-part', JSON.stringify(change), { 'content-type': 'application/json', 'if-match': version });
    // As a sale would, which does not change the version.
    await pool.query(`update listings set available = 4 where id = 'lst-part'`);
    const priced = await patch({ price: 61, seats: null });
    expect(priced).toMatchObject({
      status: 200,
      body: { price: 61, quantity: 4, held: 2, version: 2, notes: 'Aisle' },
    });
    expect(priced.body).not.toHaveProperty('seats');
    const stale = await patch({ price: 62 });
    expect([stale.status, codes(stale)]).toEqual([412, [41201]]);
    expect(await patch({ quantity: 9 }, '"2"')).toMatchObject({
      body: { quantity: 9, held: 2, price: 61, version: 3 },
    });
    await send('DELETE', 'lst-part');
    expect(await patch({ notes: '' }, '*')).toMatchObject({ body: { withdrawn_at: expect.any(String) as string } });
  });

  it('names the fields of a change that do not fit the listing', async () => {
    await put('lst-misfit', listingBody());
    const patch = (change: object) =>
      send('PATCH', 'lst-misfit', JSON.stringify(change), { 'content-type': 'application/json' });
    const answer = await patch({ price: -1, confirm_within_minutes: 5, colour: 'red' });
    expect([answer.status, codes(answer)]).toEqual([400, [40001]]);
    for (const name of ['price', 'confirm_within_minutes', 'colour']) expect(message(answer)).toContain(name);
    expect(await send('PATCH', 'nope', '{}', { 'content-type': 'application/json' })).toMatchObject({ status: 404 });
    expect(await send('GET', 'lst-misfit')).toMatchObject({ body: { version: 1 } });
  });

  it('may have any name that fits a path', async () => {
    for (const id of ['Block A: 12', 'größe-🎟', 'import']) {
      const path = encodeURIComponent(id);
      expect(await put(path, listingBody())).toMatchObject({ status: 200, body: { listing_id: id } });
      expect(await send('GET', path)).toMatchObject({ status: 200, body: { listing_id: id } });
    }
  });

  it('must be known to be read or withdrawn', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await send(method, 'nope');
      expect(answer.status).toBe(404);
      expect(codes(answer)).toEqual([40400]);
    }
  });

  it('is refused with the names of the invalid fields, and nothing changes', async () => {
    await put('kept', listingBody());
    const answer = await put('kept', { ...listingBody(), price: -1, colour: 'red', confirm_within_minutes: 5 });
    expect(answer.status).toBe(400);
    expect(codes(answer)).toEqual([40001]);
    expect(message(answer)).toMatch(/price.*colour/);
    const keys = Object.fromEntries(Array.from({ length: 500 }, (_, index) => ['k'.repeat(100) + index, 1]));
    expect(JSON.stringify((await put('kept', keys)).body).length).toBeLessThan(5_000);
    expect(await send('GET', 'kept')).toMatchObject({ body: { version: 1, price: 100 } });
  });

  it('is refused when the body is no JSON, too large, or the name is none', async () => {
    const json = { 'content-type': 'application/json' };
    expect(codes(await send('PUT', 'x', '{"event_id":', json))).toEqual([40000]);
    expect(codes(await send('PUT', 'x', 'x'.repeat(70_000), json))).toEqual([41300]);
    const unnamed = await put('x'.repeat(101), listingBody());
    expect(codes(unnamed)).toEqual([40001]);
    expect(message(unnamed)).toContain('listing_id');
  });

  it('is for staff alone', async () => {
    const stranger = { authorization: 'Bearer somebody-else' };
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const body = method === 'PUT' ? JSON.stringify(listingBody()) : undefined;
      const answer = await send(method, 'lst-1', body, stranger);
      expect(answer.status).toBe(401);
      expect(codes(answer)).toEqual([40100]);
    }
    const answer = await send('POST', 'import', line('stolen'), { 'content-type': 'text/csv', ...stranger });
    expect(answer.status).toBe(401);
    expect((await send('GET', 'stolen')).status).toBe(404);
  });
});

describe('POST /backoffice/v1/listings/import', () => {
  it.each([
    'application/x-ndjson',
    'application/jsonl; charset=utf-8',
    'application/ndjson',
    'application/x-jsonlines',
    'application/json-lines',
  ])('takes %s', async (mediaType) => {
    const answer = await importAs(mediaType, [line('jsonl-1'), line('jsonl-2', { price: 'free' })].join('\n'));
    expect(answer).toMatchObject({
      status: 200,
      body: { imported: 1, failed: 1, errors: [{ line: 2, errors: [{ code: 40001 }] }] },
    });
    expect(await send('GET', 'jsonl-1')).toMatchObject({ status: 200 });
  });

  it('takes CSV', async () => {
    const methods = '"[{""type"":""download"",""name"":""E-tickets"",""cost"":0}]"';
    const csv = `listing_id,event_id,section,row,quantity,split_rule,price,fees,wholesale_price,delivery_methods
csv-1,1001,Floor,A,4,pairs,100,10,90,${methods}`;
    expect(await importAs('Text/CSV; charset=UTF-8', csv)).toEqual({
      status: 200,
      body: { imported: 1, failed: 0, errors: [] },
    });
    expect(await send('GET', 'csv-1')).toMatchObject({ body: { split_rule: 'pairs', notes: '' } });
  });

  it('accepts more than other bodies may have, as a stream', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => Buffer.from(`${line(`wide-${index}`)}\n`));
    const stream = new ReadableStream({
      pull(controller) {
        const next = lines.shift();
        if (next) controller.enqueue(next);
        else controller.close();
      },
    });
    expect(await importAs('application/x-ndjson', stream)).toMatchObject({ body: { imported: 3_000, failed: 0 } });
    expect(await send('GET', 'wide-2999')).toMatchObject({ status: 200 });
  });

  it('answers about a header that it cannot use with the number of lines', async () => {
    const answer = await importAs('text/csv', `section,colour\n${'a,red\n'.repeat(200_000)}`);
    expect(answer).toMatchObject({ status: 200, body: { imported: 0, failed: 200_000, errors: [{ line: 1 }] } });
  });

  it.each(['text/tab-separated-values', 'text/plain', 'application/vnd.ms-excel'])(
    'takes %s with a map and defaults',
    async (mediaType) => {
      const defaults = { fees: 1, split_rule: 'any', delivery_methods: listingBody().delivery_methods };
      const query = new URLSearchParams([
        ['map', 'Ticket=listing_id'],
        ['map', 'Show=event_id,Face=wholesale_price'],
        ['defaults', JSON.stringify(defaults)],
        ['defaults', 'notes=Aisle'],
      ]);
      const file =
        'Ticket\tShow\tSection\tRow\tQuantity\tPrice\tFace\tColour, or so\ntab-1\t1001\t104\tC\t2\t80\t60\tred\n';
      const type = { 'content-type': mediaType };
      const dry = await send('POST', `import?dry_run=true&${query.toString()}`, file, type);
      expect(dry.body).toMatchObject({
        imported: 1,
        columns: [{ column: 'Ticket', field: 'listing_id' }, { field: 'event_id' }, {}, {}, {}, {}, {}],
        ignored_columns: ['Colour, or so'],
      });
      expect(await send('POST', `import?${query.toString()}`, file, type)).toEqual({
        status: 200,
        body: { imported: 1, failed: 0, errors: [], ignored_columns: ['Colour, or so'] },
      });
      expect(await send('GET', 'tab-1')).toMatchObject({ body: { wholesale_price: 60, notes: 'Aisle', fees: 1 } });
    },
  );

  it.each(['map=a', 'map=a%3Dcolour', 'defaults=fees%3D-1', 'defaults=%7B', 'defaults=colour%3Dred'])(
    'refuses ?%s by name',
    async (query) => {
      const answer = await send('POST', `import?${query}`, 'listing_id\n', { 'content-type': 'text/csv' });
      expect([answer.status, codes(answer)]).toEqual([400, [40001]]);
      expect(message(answer)).toContain(query.split('=')[0]);
    },
  );

  it('may take longer than any other request, for staff alone', async () => {
    const slowly = () => {
      let sent = 0;
      return new ReadableStream({
        async pull(controller) {
          // Not awaiting anything: what is tested is a sender that is slower than the time-out.
          await pause(REQUEST_TIMEOUT_MS / 4);
          if (sent === 6) return controller.close();
          return controller.enqueue(Buffer.from(`${line(`slow-${(sent += 1)}`)}\n`));
        },
      });
    };
    expect(await importAs('application/jsonl', slowly())).toMatchObject({ status: 200, body: { imported: 6 } });
    const stranger = { authorization: 'Bearer somebody-else', 'content-type': 'application/json' };
    await expect(send('PUT', 'slow', slowly(), stranger)).resolves.toMatchObject({ status: 408 });
  });

  it('keeps what arrived before the upload broke off, and the api continues', async () => {
    const abort = new AbortController();
    const lines = Array.from({ length: 1_000 }, (_, index) => line(`broken-${index}`)).join('\n');
    const stream = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(`${lines}\n`)) });
    const answer = importAs('application/jsonl', stream, abort.signal);
    await until(async () => (await send('GET', 'broken-0')).status === 200);
    abort.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(await send('GET', 'broken-499')).toMatchObject({ status: 200 });
  });

  it('takes nothing else', async () => {
    const answer = await importAs('application/json', `[${line('json-1')}]`);
    expect(answer.status).toBe(415);
    expect(codes(answer)).toEqual([41500]);
  });
});

describe('a dry run of an import', () => {
  it('says what the lines would do, and writes neither listings nor an entry of the audit log', async () => {
    await put('dry-known', listingBody());
    const lines = [line('dry-known'), line('dry-new'), line('dry-bad', { price: -1 }), '{'].join('\n');
    const { rows: before } = await pool.query('select count(*) from audit_log');
    const answer = await send('POST', 'import?dry_run=true', lines, { 'content-type': 'application/x-ndjson' });
    expect(answer).toMatchObject({
      status: 200,
      body: { dry_run: true, imported: 2, failed: 2, created: 1, replaced: 1, errors: [{ line: 3 }, { line: 4 }] },
    });
    expect((await send('GET', 'dry-new')).status).toBe(404);
    expect(await send('GET', 'dry-known')).toMatchObject({ body: { version: 1 } });
    expect((await pool.query('select count(*) from audit_log')).rows).toEqual(before);
    const invalid = await send('POST', 'import?dry_run=maybe', lines, { 'content-type': 'application/x-ndjson' });
    expect([invalid.status, codes(invalid)]).toEqual([400, [40001]]);
  });
});

describe('/openapi.json', () => {
  it('describes the listings of the back office', async () => {
    const response = await fetch(`${await app.getUrl()}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
    expect(Object.keys(paths['/backoffice/v1/listings/{listing_id}'] ?? {})).toEqual(['put', 'patch', 'get', 'delete']);
    expect(paths['/backoffice/v1/listings/import']).toMatchObject({
      post: { requestBody: { content: { 'text/csv': {}, 'application/jsonl': {} } } },
    });
  });
});
