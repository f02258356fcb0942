import type { FastifyRequest } from 'fastify';

type Headers = Record<string, string | string[] | undefined>;

/** The transaction header's name under this scheme, in lower case as Node has it. */
export function transactionHeader(scheme: string): string {
  return `x-${scheme.toLowerCase()}-transaction-id`;
}

/** The platform's transaction id, if it sent one that is fit to stand in a log line; else one of ours takes its place. */
export function transactionIdFrom(headers: Headers, scheme: string): string | undefined {
  const value = headers[transactionHeader(scheme)];
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : undefined;
}

/** The id of the request and whether the platform gave it: only then can it tell a repeated purchase. */
export function transactionOf(request: FastifyRequest, scheme: string): { id: string; ours: boolean } {
  return { id: request.id, ours: transactionIdFrom(request.headers, scheme) !== request.id };
}
