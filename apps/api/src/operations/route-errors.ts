import { type ErrorCode, ERRORS } from '#web/errors.contract';
import { IDEMPOTENCY_KEY, isIdempotent } from '#web/idempotent-routes';

/**
 * Errors that any route may answer: before it is found, for its body, or without a database. 404: on a port that does not serve it, by a setting
 * that switches it off, or for what belongs to another seller.
 */
const ANY_ROUTE: readonly ErrorCode[] = [40000, 40001, 40300, 40400, 40800, 41300, 41500, 42100, 42900, 43100, 50300];
/** What a write answers if it is unknown whether it was done. A read answers 503. */
const UNSAFE: readonly ErrorCode[] = [50000];
const IDEMPOTENT: readonly ErrorCode[] = [40001, 40907, 42202];

const SAFE_METHODS = ['get', 'head', 'options'];

type Content = Readonly<Record<string, Readonly<{ schema: object }>>>;
type Response = Readonly<{ $ref?: string; description?: string; content?: Content }>;

export type DocumentedRoute = Readonly<{ path: string; method: string; operation: DocumentedOperation }>;
export type DocumentedOperation = { parameters?: object[]; responses: Record<string, Response> };
/** The responses that several routes have, by name. */
export type SharedResponses = Record<string, Response>;

/** Who reads the errors of a route, and so their form. */
type Readers = 'programs' | 'discovery' | 'people' | 'link';

/** Node refuses these before the path is known, or after it was. */
const OF_THE_CONNECTION = [408, 431];

const FORMS: Readonly<Record<Readers, (status: number) => Content>> = {
  programs: () => json('ErrorBody'),
  discovery: (status) => {
    const schema = refTo('schemas', 'DiscoveryError');
    // What the connection refuses is of no API yet.
    if (OF_THE_CONNECTION.includes(status)) {
      return { 'application/json': { schema: { anyOf: [schema, refTo('schemas', 'ErrorBody')] } } };
    }
    return { 'application/json': { schema }, 'application/xml': { schema }, 'application/javascript': { schema } };
  },
  // A browser that opens an address in vain gets a page (message-pages).
  people: (status) => (status === 404 ? { ...json('ErrorBody'), ...PAGE } : json('ErrorBody')),
  link: () => ({ ...json('ErrorBody'), ...PAGE }),
};

const PAGE: Content = { 'text/html': { schema: { type: 'string' } } };

/**
 * Adds the errors that a route does not name itself to its responses, so that no answer is missing in the document. Those that no route says
 * more about are among the `shared` ones, by name.
 */
export function documentErrors({ path, method, operation }: DocumentedRoute, shared: SharedResponses): void {
  const keyed = isIdempotent(method, path);
  if (keyed) operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
  const added = [...ANY_ROUTE, ...(SAFE_METHODS.includes(method) ? [] : UNSAFE), ...(keyed ? IDEMPOTENT : [])];
  const readers = readersOf(path);
  for (const [status, codes] of byStatus(added)) {
    const own = operation.responses[status];
    // Health checks have a form of their own.
    if (own && codesIn(own.description).length === 0) continue;
    const named = [...new Set([...codesIn(own?.description), ...codes])].toSorted((a, b) => a - b);
    const content = { ...FORMS[readers](status), ...own?.content };
    const response = { description: textOf(named), content };
    if (own) operation.responses[status] = { ...own, ...response };
    else operation.responses[status] = sharedResponse(shared, readers, status, response);
  }
  if (readers === 'people' || readers === 'link') addPages(operation, readers);
}

function sharedResponse(shared: SharedResponses, readers: Readers, status: number, response: Response) {
  const codes = codesIn(response.description).join('And');
  const name = `${readers[0]?.toUpperCase()}${readers.slice(1)}Error${codes}`;
  shared[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

/** Errors that the route names itself. */
function addPages({ responses }: DocumentedOperation, readers: Readers): void {
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) < 400 || response.$ref !== undefined) continue;
    responses[status] = { ...response, content: { ...FORMS[readers](Number(status)), ...response.content } };
  }
}

function readersOf(path: string): Readers {
  if (path.startsWith('/2/')) return 'discovery';
  if (/^\/(?:tickets|downloads|unsubscribe|choices)\//.test(path)) return 'link';
  return /^\/(?:checkout|backoffice|stream|sandbox)\//.test(path) ? 'programs' : 'people';
}

function byStatus(codes: readonly ErrorCode[]): ReadonlyMap<number, ErrorCode[]> {
  const grouped = new Map<number, ErrorCode[]>();
  for (const code of codes) grouped.set(ERRORS[code].status, [...(grouped.get(ERRORS[code].status) ?? []), code]);
  return grouped;
}

/** The codes that the description of a response names. */
function codesIn(description = ''): ErrorCode[] {
  return [...description.matchAll(/\b[45]\d{4}\b/g)]
    .map(([code]) => Number(code))
    .filter((code) => code in ERRORS) as ErrorCode[];
}

/** The description of a response with these codes. */
function textOf(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `${code} ${ERRORS[code].message}`).join('; ');
}

function json(schema: string): Content {
  return { 'application/json': { schema: refTo('schemas', schema) } };
}

function refTo(kind: string, name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}
