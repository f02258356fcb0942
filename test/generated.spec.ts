import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { parseSettings } from '#base/load-settings';
import { type ErrorCode, ERRORS } from '#web/errors.contract';
import { createLogger } from '#platform/logger';
import { tasksPage } from '#platform/tasks/tasks-page';
import { API_TASKS } from '../apps/api/src/api-tasks.js';
import { generatedFiles } from '../apps/api/src/docs/generated-files.js';
import { openApi } from '../apps/api/src/operations/openapi.js';
import { readOpenApi } from '../apps/api/src/operations/openapi-file.js';
import { createApi } from '../apps/api/src/start-api.js';
import { WORKER_TASKS } from '../apps/worker/src/background-tasks.js';
import { withMap } from './architecture/architecture-page.js';
import { LIBS } from './architecture/lib-map.js';

type Response = { $ref?: string; description?: string; content?: Record<string, { schema?: object }> };
type Schema = { $ref?: string; allOf?: Schema[]; anyOf?: Schema[]; example?: unknown };
type Operation = {
  operationId: string;
  summary?: string;
  tags?: string[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { name: string }[];
  responses: Record<string, Response>;
  security?: object[];
  'x-permissions'?: string[][];
};
type Document = {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};

const NOWHERE = {
  DATABASE_URL: 'postgres://nowhere.invalid/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

let files: ReadonlyMap<string, string>;
let document: Document;
let operations: [name: string, Operation][];

beforeAll(async () => {
  files = await generatedFiles();
  document = JSON.parse(files.get('docs/openapi.json') ?? '') as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );
}, 30_000);

describe('generated files', () => {
  it('are up to date (run `npm run docs`)', () => {
    expect([...files.keys()]).toEqual([
      '.env.example',
      'docs/asyncapi.json',
      'docs/events.md',
      'docs/openapi.json',
      'docs/people.md',
      'docs/statuses.md',
      'types/backoffice-routes.ts',
    ]);
    for (const [path, text] of files) {
      expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8') === text, path).toBe(true);
    }
  });

  it('include the tables of background tasks (run `npm run docs`)', () => {
    const page = readFileSync(new URL('../docs/background-tasks.md', import.meta.url), 'utf8');
    expect(tasksPage({ worker: WORKER_TASKS, api: API_TASKS })).toBe(page);
  });

  it('include the map of the libs (run `npm run docs`)', () => {
    const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
    expect(withMap(page, LIBS)).toBe(page);
    expect(withMap(page, { domain: { is: 'Another sentence.', imports: [] } })).toContain('Another sentence.');
    expect(() => withMap('# Architecture', LIBS)).toThrow('markers');
  });
});

/** The browser is only led to another address. */
// A dry run answers 200, and so does what was there already. A device is told by 204 that nothing has changed.
const MAY_CREATE_NOTHING =
  /^(?:post|get) \/passes\/v1\/devices\/|^post \/backoffice\/v1\/(replays|jobs|jobs\/import|jobs\/\{id\}\/undo|orders\/\{id\}\/(barcodes|label|transfers|transfers\/\{transfer_id\}\/proof))$/;

const leadsOn = (name: string) => name.startsWith('get ') && name.includes('/session/openid');

/** What a device asks without a pass. */
const isOfDevice = (name: string) => / \/passes\/v1\/(?:log|devices\/.*\{pass_type\})$/.test(name);

/** Whose credential is the signature of a link. */
const isByLink = (name: string) => /^get \/(?:tickets|downloads)\/| \/(?:unsubscribe|choices)\//.test(name);

describe('the OpenAPI document', () => {
  it('has exactly the routes of the api', async () => {
    expect(operations.map(([name]) => name).sort()).toEqual((await servedRoutes()).sort());
  });

  it.each([
    [
      'another scheme and address',
      { SANDBOX: 'true', CHECKOUT_SCHEME: 'ACME', PUBLIC_URL: 'https://tickets.example/shop' },
    ],
    ['no sandbox', { PLATFORM_URL: 'https://platform.example' }],
  ])('is read from the file as it would be made from the routes: %s', async (_what, environment) => {
    const settings = parseSettings({ ...NOWHERE, ...environment });
    const api = await createApi(settings, createLogger('test', 'silent'), new TimeOrderedIds());
    const made = JSON.parse(JSON.stringify(openApi(api, settings))) as Document;
    await api.close();
    const { components, ...read } = readOpenApi(settings);
    const { components: known, ...rest } = made;
    expect(read).toEqual(rest);
    // Schemas that only the sandbox uses stay.
    expect(components).toMatchObject(known);
  });

  it('describes every route and its answer', () => {
    for (const [name, { summary, tags, responses }] of operations) {
      expect(summary, name).toMatch(/^[A-Z].{9,}/);
      expect(tags, name).toHaveLength(1);
      const good = Object.entries(responses).filter(([status]) => (leadsOn(name) ? /^302$/ : /^2\d\d$/).test(status));
      expect(good, name).toHaveLength(MAY_CREATE_NOTHING.test(name) ? 2 : 1);
      const described = good.every(([, { content, description }]) => content || description);
      expect(described, `${name} does not describe its answer`).toBe(true);
    }
  });

  it('names the credential of every route, and the answer without it', () => {
    for (const [name, { security, responses }] of operations) {
      const isForStaff = security?.some((scheme) => 'staff' in scheme) ?? false;
      const isSignIn = name === 'post /backoffice/v1/session';
      const isOpen =
        isSignIn ||
        /^get \/(about$|e$|[epv]\/|robots.txt$|sitemap.xml$|health|metrics|sandbox)|^delete .*\/session$|\/invitations\/accept$|\/session\/(options|openid\/logout)$|\/payments\/v1\/\{provider\}$/.test(
          name,
        ) ||
        leadsOn(name) ||
        isOfDevice(name) ||
        isByLink(name);
      expect(security?.length === 0, name).toBe(isOpen);
      const isPublic = name.startsWith('get /2/');
      expect('401' in responses, name).toBe(isSignIn || (!isOpen && !isPublic));
      expect(responses['403'] !== undefined && !responses['403'].$ref, name).toBe(
        isPublic ||
          isByLink(name) ||
          // They refuse pages of other sites.
          /^(post|delete) .*\/(session|session\/confirm|session\/all|invitations\/accept)$/.test(name) ||
          name.includes(' /stream/') ||
          isForStaff,
      );
    }
  });

  it('names the permissions of every route for staff', () => {
    for (const [name, { security, 'x-permissions': sets }] of operations) {
      expect(sets !== undefined, name).toBe(security?.some((scheme) => 'staff' in scheme) ?? false);
    }
    const { 'x-permissions': sets } = document.paths['/backoffice/v1/listings/{listing_id}']?.['put'] ?? {};
    expect(sets).toEqual([['listings:write']]);
  });

  it('gives all errors of one API the same schema', () => {
    for (const [name, { responses }] of operations) {
      for (const [status, { content, description }] of resolved(responses)) {
        if (/^[1-3]/.test(status) || (name.startsWith('get /health/') && status === '503')) continue;
        const schema = { $ref: `#/components/schemas/${errorSchemaOf(name, status)}` };
        const isOfConnection = name.startsWith('get /2/') && ['408', '431'].includes(status);
        const expected = isOfConnection ? { anyOf: [schema, { $ref: '#/components/schemas/ErrorBody' }] } : schema;
        expect(content?.['application/json']?.schema, `${name} ${status}`).toEqual(expected);
        for (const code of codesIn(description)) expect(ERRORS[code].status, `${name} ${code}`).toBe(Number(status));
      }
    }
  });

  it('names every answer by its status, also those that any route may give', () => {
    for (const [name, { responses }] of operations) {
      const statuses = Object.keys(responses);
      expect(
        statuses.filter((status) => !/^\d{3}$/.test(status)),
        name,
      ).toEqual([]);
      expect(statuses, name).toEqual(
        expect.arrayContaining(['400', '404', '408', '413', '415', '421', '429', '431', '503']),
      );
      if (!/^(?:get|head) /.test(name)) expect(statuses, name).toContain('500');
    }
  });

  it('has the header Idempotency-Key, with its errors, where a route takes it', () => {
    for (const [name, { parameters = [], responses }] of operations) {
      const takesIt = /^(?:post|patch) \/backoffice\/v1\/(?!session)/.test(name) && !name.endsWith('/reveal');
      expect(
        parameters.some(({ name: header }) => header === 'Idempotency-Key'),
        name,
      ).toBe(takesIt);
      const codes = new Set(resolved(responses).flatMap(([, { description }]) => codesIn(description)));
      expect([codes.has(40907), codes.has(42202)], name).toEqual([takesIt, takesIt]);
    }
  });

  it('follows the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-invalid-schema-examples': 'error' } });
    const source = files.get('docs/openapi.json') ?? '';
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    const found = problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer ?? '']);
    const isKnown = ([rule, , at]: string[]) => rule === 'operation-2xx-response' && at?.includes('~1session~1openid');
    expect(found.filter((problem) => !isKnown(problem))).toEqual([]);
  });

  it('names each operation like a method of a client', () => {
    const names = operations.map(([, { operationId }]) => operationId);
    expect(names.filter((name) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has an example of every request body', () => {
    const exampleOf = (schema: Schema): unknown => {
      const [first = schema] = schema.anyOf ?? schema.allOf ?? [];
      const name = first.$ref?.split('/').at(-1) ?? '';
      return document.components.schemas[name]?.example ?? first.example;
    };
    const withJson = operations.filter(([, { requestBody }]) => requestBody?.content['application/json']);
    expect(withJson.length).toBeGreaterThan(10);
    for (const [name, { requestBody }] of withJson) {
      const schema = requestBody?.content['application/json']?.schema ?? {};
      expect(exampleOf(schema), name).toBeDefined();
    }
  });

  it('has every error code', () => {
    const ofRoutes = operations.flatMap(([, { responses }]) =>
      resolved(responses).flatMap(([, { description }]) => codesIn(description)),
    );
    expect(new Set(ofRoutes)).toEqual(new Set(Object.keys(ERRORS).map(Number)));
  });

  it('has no broken reference', () => {
    const text = files.get('docs/openapi.json') ?? '';
    const references = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference = '']) => reference);
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references)) {
      const steps = reference.replace(/^#\//, '').split('/');
      const found = steps.reduce<unknown>(
        (value, key) => (value as Record<string, unknown> | undefined)?.[key],
        document,
      );
      expect(found, reference).toBeDefined();
    }
  });
});

/** With the responses that are shared in place of the references to them. */
function resolved(responses: Operation['responses']): [status: string, Response][] {
  return Object.entries(responses).map(([status, response]) => {
    const shared = response.$ref?.split('/').at(-1);
    return [status, shared === undefined ? response : document.components.responses[shared]!];
  });
}

function codesIn(text = ''): ErrorCode[] {
  return [...text.matchAll(/\b[45]\d{4}\b/g)].map(([code]) => Number(code) as ErrorCode);
}

/** The routes that Fastify has registered, except those of Nest's Swagger module and Bull Board. */
async function servedRoutes(): Promise<string[]> {
  const settings = parseSettings({ ...NOWHERE, SANDBOX: 'true' });
  const api = await createApi(settings, createLogger('test', 'silent'), new TimeOrderedIds());
  const routes: string[] = [];
  api
    .getHttpAdapter()
    .getInstance()
    .addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) routes.push(`${name.toLowerCase()} ${url.replace(/:(\w+)/g, '{$1}')}`);
    });
  await api.init();
  await api.close();
  return [...new Set(routes)].filter(
    (route) => !/^head | \/(docs|queues|asyncapi\.json|openapi\.(json|yaml))|\*/.test(route),
  );
}

/** The 409 of the stream has the current epoch in its `meta`. */
function errorSchemaOf(operation: string, status: string): string {
  if (operation.startsWith('get /stream/') && status === '409') return 'EpochConflict';
  return operation.startsWith('get /2/') ? 'DiscoveryError' : 'ErrorBody';
}
