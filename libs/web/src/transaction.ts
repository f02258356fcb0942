import type { FastifyRequest } from 'fastify';

type Headers = Record<string, string | string[] | undefined>;

/** The transaction header's name under this scheme, in lower case as Node has it. */
export function transactionHeader(scheme: string): string {
  return `x-${scheme.toLowerCase()}-transaction-id`;
}

/**
 * The platform's transaction id: the value of its header, with one character for each byte (latin1), as Node gives it. Undefined
 * where the header is missing or empty.
 * @param header of `transactionHeader`
 */
export function transactionIdFrom(headers: Headers, header: string): string | undefined {
  const value = headers[header];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * The id of the request, and whether the platform sent it. Only a platform's id can identify a repeated purchase.
 * @param header of `transactionHeader`
 */
export function transactionOf(request: FastifyRequest, header: string): { id: string; ours: boolean } {
  return { id: request.id, ours: transactionIdFrom(request.headers, header) !== request.id };
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * The answer's body where the echoed id has bytes beyond ASCII. Node writes headers and a text body in one go, as UTF-8, which
 * would change those bytes; headers before a Buffer are latin1.
 */
export function bodyAfterEcho(id: string, body: unknown): unknown {
  return typeof body === 'string' && BEYOND_ASCII.test(id) ? Buffer.from(body) : body;
}
