import type { IncomingMessage } from 'node:http';
import type { ErrorBody } from './error-body.contract.js';

/** The answer to a request that failed. */
export type WrittenError = Readonly<{ headers: Readonly<Record<string, string>>; body: string }>;

/** `url` is without the path of PUBLIC_URL. */
export type FailedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** Writes an Error body in the format of the surface that the target (path and query) belongs to, or a page for people. */
export abstract class ErrorWriter {
  abstract write(request: FailedRequest, status: number, errors: ErrorBody): WrittenError;
}

/** The format of the surfaces that have no format of their own. */
export function jsonError(errors: ErrorBody): WrittenError {
  return { headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(errors) };
}
