import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FolderObjectStore } from './folder-object-store.js';
import { MissingObject, type ObjectStore } from './object-store.js';
import { S3ObjectStore } from './s3-object-store.js';

const KEY = 'tickets/ord_1/tkt_1';
const CONTENT = Buffer.from('%PDF-1.7 '.repeat(20_000));

const folder = mkdtempSync(join(tmpdir(), 'willcall-objects-'));
let bucket: Server;
let stores: Readonly<Record<'folder' | 's3', ObjectStore>>;
const objects = new Map<string, Buffer>();

beforeAll(async () => {
  bucket = await listening();
  const { port } = bucket.address() as AddressInfo;
  stores = {
    folder: new FolderObjectStore(folder),
    s3: new S3ObjectStore({
      bucket: 'willcall',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    }),
  };
});
afterAll(() => {
  bucket.close();
  rmSync(folder, { recursive: true });
});

/** What an S3-compatible service does with these requests. */
async function listening(): Promise<Server> {
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    const key = new URL(url, 'http://s3').pathname;
    if (!String(headers.authorization).startsWith('AWS4-HMAC-SHA256 Credential=a/'))
      return void response.writeHead(403).end();
    if (method === 'PUT') {
      void buffer(request).then((body) => {
        objects.set(key, body);
        response.writeHead(200).end();
      });
    } else if (method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else {
      const body = objects.get(key);
      const missing = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>';
      response.writeHead(body ? 200 : 404, { 'content-type': body ? 'application/octet-stream' : 'application/xml' });
      response.end(body ?? missing);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const put = (store: ObjectStore, content = CONTENT, key = KEY, bytes = content.length) =>
  store.put(key, Readable.from([content.subarray(0, 7), content.subarray(7)]), bytes);

describe.each(['folder', 's3'] as const)('an object store in a %s', (kind) => {
  it('gives back what was put, until it is removed', async () => {
    const store = stores[kind];
    await expect(store.read(KEY)).rejects.toThrow(MissingObject);
    await put(store);
    expect((await buffer(await store.read(KEY))).equals(CONTENT)).toBe(true);
    await put(store, Buffer.from('replaced'));
    expect(String(await buffer(await store.read(KEY)))).toBe('replaced');
    await store.remove(KEY);
    await store.remove(KEY);
    await expect(store.read(KEY)).rejects.toThrow(MissingObject);
  });

  it.each([
    '../secrets.json',
    'tickets/../../x',
    'tickets//x',
    '/etc/passwd',
    'tickets/.hidden',
    'tickets',
    'tickets/a\0b',
  ])('refuses the key %j', async (key) => {
    await expect(put(stores[kind], CONTENT, key)).rejects.toThrow('not a key');
    await expect(stores[kind].read(key)).rejects.toThrow('not a key');
  });
});

it('a broken upload leaves nothing in the folder', async () => {
  const broken = Readable.from(
    (async function* () {
      yield CONTENT;
      throw new Error('broken off');
    })(),
  );
  await expect(stores.folder.put(KEY, broken, CONTENT.length)).rejects.toThrow('broken off');
  await expect(put(stores.folder, CONTENT, KEY, 5)).rejects.toThrow('instead of 5');
  expect(readdirSync(join(folder, 'tickets', 'ord_1'))).toEqual([]);
});
