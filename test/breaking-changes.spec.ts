import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ApiDocument, breakingChanges } from './openapi/breaking-changes.js';
import type { Schema } from './openapi/schema-breaks.js';

/** What breaks since the last release on purpose, each with the reason. A release empties it. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'DeliveryMethod (request).data.email has a narrower maxLength: 254': 'no longer address can get mail (RFC 5321)',
  'POST /checkout/v1/purchases: the body.user.email has a narrower maxLength: 254': 'the same',
  'GET / is gone': 'it was a page for people, which is /about now',
  'GET /2/genres: the query page was string and is integer': 'other texts were refused before too',
  'GET /2/taxonomies: the query page was string and is integer': 'other texts were refused before too',
  'NewStreamToken (request).name has a narrower minLength: 1': 'nobody can tell tokens without a name apart',
  'POST /checkout/v1/purchases: the body.product.quantity has a narrower maximum: 2147483647': 'no listing has more',
};

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const parsed = (path: string) => JSON.parse(read(path)) as ApiDocument;

describe('docs/openapi.json', () => {
  it('breaks nothing that the last release promised, except what is accepted', () => {
    // The newest entry with a date. Whoever releases copies docs/openapi.json beside the file of the release before.
    const [, version] = /^## \[(.+)\] - \d{4}/m.exec(read('../CHANGELOG.md')) ?? [];
    const breaks = breakingChanges(parsed(`openapi/openapi-${version}.json`), parsed('../docs/openapi.json'));
    expect(breaks).toEqual(Object.keys(ACCEPTED).sort());
  });
});

const TICKET: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    row: { type: 'integer' },
    kind: { enum: ['paper', 'mobile'], type: 'string' },
    // Schemas may contain themselves.
    others: { type: 'array', items: { $ref: '#/components/schemas/Ticket' } },
  },
  required: ['id', 'kind'],
};

function documentWith(ticket: Schema, more: Partial<ApiDocument['paths'][string][string]> = {}): ApiDocument {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Ticket' } } };
  return {
    paths: { '/tickets/{id}': { put: { requestBody: { content }, responses: { 200: { content } }, ...more } } },
    components: { schemas: { Ticket: ticket } },
  };
}

const changed = (properties: Readonly<Record<string, Schema>>, required = TICKET.required): Schema => ({
  ...TICKET,
  properties: { ...TICKET.properties, ...properties },
  ...(required && { required }),
});

const { id: _, ...withoutId } = TICKET.properties ?? {};

describe('breakingChanges', () => {
  const released = documentWith(TICKET);

  it.each<[string, ApiDocument, string[]]>([
    [
      'a field that is gone',
      documentWith({ ...TICKET, properties: withoutId, required: ['kind'] }),
      ['Ticket (answer).id is gone', 'Ticket (request).id is gone'],
    ],
    [
      'a field of another type',
      documentWith(changed({ row: { type: 'string' } })),
      ['Ticket (answer).row was integer and is string', 'Ticket (request).row was integer and is string'],
    ],
    [
      'a field of an answer that may now be null',
      documentWith(changed({ id: { anyOf: [{ type: 'string' }, { type: 'null' }] } })),
      ['Ticket (answer).id was string and is null'],
    ],
    [
      'a field of an answer that may be missing',
      documentWith(changed({}, ['kind'])),
      ['Ticket (answer).id may be missing'],
    ],
    [
      'a field of a request that is required',
      documentWith(changed({ seat: { type: 'string' } }, ['id', 'kind', 'seat'])),
      ['Ticket (request).seat is required'],
    ],
    [
      'a value of a request that is gone',
      documentWith(changed({ kind: { enum: ['mobile'], type: 'string' } })),
      ['Ticket (request).kind may not be paper any more'],
    ],
    [
      'a narrower limit',
      documentWith(changed({ row: { type: 'integer', maximum: 10 } })),
      ['Ticket (request).row has a narrower maximum: 10'],
    ],
    ['a route that is gone', { ...released, paths: {} }, ['PUT /tickets/{id} is gone']],
    [
      'an argument that is required',
      documentWith(TICKET, { parameters: [{ name: 'If-Match', in: 'header', required: true }] }),
      ['PUT /tickets/{id}: the header if-match is required'],
    ],
    [
      'a body that is required',
      documentWith(TICKET, {
        requestBody: { ...released.paths['/tickets/{id}']?.['put']?.requestBody, required: true, content: {} },
      }),
      ['PUT /tickets/{id}: a body is required', 'PUT /tickets/{id}: the body as application/json is gone'],
    ],
    ['an answer that is gone', documentWith(TICKET, { responses: {} }), ['PUT /tickets/{id}: the answer 200 is gone']],
  ])('names %s', (_what, current, breaks) => {
    expect(breakingChanges(released, current)).toEqual(breaks);
  });

  it('names nothing that callers need not know', () => {
    const wider = changed({ kind: { enum: ['paper', 'mobile', 'pass'], type: 'string' }, seat: { type: 'string' } });
    const { put } = documentWith(wider, { parameters: [{ name: 'dry_run', in: 'query' }] }).paths['/tickets/{id}']!;
    const current = {
      ...documentWith(wider),
      paths: { '/tickets/{ticket_id}': { put: put! }, '/tickets': { get: put! } },
    };
    expect(breakingChanges(released, current)).toEqual([]);
  });
});
