import { createReadStream, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { S3Double } from '../../../test/support/s3-double.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { FolderObjectStore } from './storage/folder-object-store.js';
import { MissingObject, type ObjectStore, StorageError } from './object-store.js';
import { S3Connection } from './s3-connection.js';
import { S3ObjectStore } from './storage/s3-object-store.js';

const KEY = 'tickets/ord_1/tkt_1';
const OTHER = 'tickets/ord_2/tkt_1';
const CONTENT = Buffer.from('%PDF-1.7 '.repeat(20_000));

const folder = temporaryFolder('objects');
let service: S3Double;
let stores: Readonly<Record<'folder' | 's3', ObjectStore>>;

beforeAll(async () => {
  service = await S3Double.start();
  stores = {
    folder: new FolderObjectStore(folder),
    s3: new S3ObjectStore(new S3Connection(service.options), 'willcall'),
  };
});
afterAll(() => {
  service.stop();
  rmSync(folder, { recursive: true });
});

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
    expect(String(await buffer(await store.read(KEY, { start: 2, bytes: 4 })))).toBe('plac');
    await store.remove(KEY);
    await store.remove(KEY);
    await expect(store.read(KEY)).rejects.toThrow(MissingObject);
  });

  it('answers a body that fails before, while and after it is read with an error, and goes on', async () => {
    const store = stores[kind];
    const missing = createReadStream(join(folder, 'no-such-file'));
    await expect(store.put(OTHER, missing, 5)).rejects.toThrow(StorageError);
    const broken = Readable.from(
      (async function* () {
        yield CONTENT;
        throw new Error('broken off');
      })(),
    );
    await expect(store.put(OTHER, broken, CONTENT.length * 2)).rejects.toThrow('broken off');
    const late = Readable.from([CONTENT]);
    await put(store, CONTENT, OTHER);
    await store.put(OTHER, late, CONTENT.length);
    late.emit('error', new Error('late'));
    expect((await buffer(await store.read(OTHER))).equals(CONTENT)).toBe(true);
  });

  it('answers whoever reads a stream that has failed with an error, and ends nothing if nobody does', async () => {
    const store = stores[kind];
    await put(store, CONTENT, OTHER);
    const [read, left] = [await store.read(OTHER), await store.read(OTHER)];
    for (const stream of [read, left]) stream.destroy(new Error('the disk is gone'));
    await expect(buffer(read)).rejects.toThrow();
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
  expect(readdirSync(join(folder, '.uploads'))).toEqual([]);
});

it('a service that is down is a StorageError', async () => {
  const down = await S3Double.start();
  const { options } = down;
  down.stop();
  const store = new S3ObjectStore(new S3Connection(options), 'willcall');
  for (const work of [() => put(store), () => store.read(KEY), () => store.remove(KEY)]) {
    await expect(work()).rejects.toThrow(StorageError);
  }
});

it('a folder that cannot be written is a StorageError', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const store = new FolderObjectStore(file);
  for (const work of [() => put(store), () => store.read(KEY)]) await expect(work()).rejects.toThrow(StorageError);
});
