import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { parseSettings } from '#base/load-settings';
import { SURFACES, type Surface } from '#base/process-roles';
import { CatalogueSearch } from '#discovery/catalogue-search';
import { IndexedSearch } from '#discovery/indexed-search';
import { createLogger } from '#platform/logger';
import { tasksOf } from '#platform/background-task';
import { TaskRunner } from '#platform/tasks/task-runner';
import { API_TASKS } from './api-tasks.js';
import { createApi } from './start-api.js';

const NOWHERE = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  SANDBOX: 'true',
  DOCS: 'false',
  REQUIRE_HTTPS: 'false',
  PORT: '3000',
  OPERATIONS_PORT: '3000',
};

/** The first parts of the paths of each surface. */
const FOLDERS: Readonly<Record<Surface, readonly string[]>> = {
  checkout: ['checkout', 'sandbox'],
  discovery: ['2', 'e', 'p', 'robots.txt', 'sitemap.xml', 'v'],
  backoffice: ['backoffice', 'choices', 'downloads', 'passes', 'payments', 'queues', 'tickets', 'unsubscribe'],
  stream: ['stream'],
  console: ['about'],
};

/** A path of each surface that answers without a database, and another one of it that never exists. */
const PATHS: Readonly<Record<Surface, readonly [string, string]>> = {
  checkout: ['/checkout/v1/purchases/ord_1', '/checkout/v1/nothing'],
  discovery: ['/2/events', '/2/nothing'],
  backoffice: ['/backoffice/v1/orders', '/backoffice/v1/nothing'],
  stream: ['/stream/v1/pings', '/stream/v1/nothing'],
  console: ['/about', '/nothing'],
};

type Opened = Readonly<{ app: NestFastifyApplication; urls: ReadonlySet<string> }>;

/** An api without a database, and the paths that its modules have brought. */
async function openApi(surfaces: readonly Surface[]): Promise<Opened> {
  const settings = parseSettings({ ...NOWHERE, SURFACES: surfaces.join(',') });
  const app = await createApi(settings, createLogger('api', 'silent'), new TimeOrderedIds());
  const urls = new Set<string>();
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRoute', ({ url }) => void urls.add(url));
  await app.init();
  await fastify.ready();
  return { app, urls };
}

const opened = new Map<Surface | 'all', Opened>();
const api = (name: Surface | 'all') => opened.get(name) as Opened;

beforeAll(async () => {
  opened.set('all', await openApi(SURFACES));
  await Promise.all(SURFACES.map(async (surface) => opened.set(surface, await openApi([surface]))));
}, 120_000);
afterAll(() => Promise.all(Array.from(opened.values(), ({ app }) => app.close())));

describe.each(SURFACES)('an api with SURFACES=%s', (surface) => {
  it('has the routes of that surface, health and metrics, and no others', () => {
    const folders = new Set(Array.from(api(surface).urls, (url) => url.split('/')[1] ?? ''));
    // What Nest brings for requests of all methods to unknown paths.
    folders.delete('*');
    expect([...folders].toSorted()).toEqual([...FOLDERS[surface], 'health', 'metrics'].toSorted());
  });

  it('answers on paths of other surfaces as on unknown ones', async () => {
    const { app } = api(surface);
    expect((await app.inject({ url: PATHS[surface][0] })).statusCode).not.toBe(404);
    for (const other of SURFACES.filter((one) => one !== surface)) {
      const [path, unknown] = PATHS[other];
      const answer = await app.inject({ url: path });
      const expected = await app.inject({ url: unknown });
      expect([answer.statusCode, answer.body], path).toEqual([404, expected.body]);
    }
  });

  it('is alive and has metrics', async () => {
    const { app } = api(surface);
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200);
    expect((await app.inject({ url: '/metrics' })).statusCode).toBe(200);
  });

  it('runs the tasks of that surface, and has a search index only for discovery', () => {
    const { app } = api(surface);
    expect(app.get(TaskRunner).names).toEqual(tasksOf(API_TASKS, [surface]).map(({ name }) => name));
    const findSearch = () => app.get(CatalogueSearch);
    if (surface === 'discovery') expect(findSearch()).toBeInstanceOf(IndexedSearch);
    else expect(findSearch).toThrow('CatalogueSearch');
  });
});

it('an api with all surfaces has all routes that its surfaces have alone', () => {
  const alone = new Set(SURFACES.flatMap((surface) => [...api(surface).urls]));
  expect([...api('all').urls].toSorted()).toEqual([...alone].toSorted());
});
