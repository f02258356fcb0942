import type { ErrorBody } from '#contracts/checkout/error-body';
import type { DiscoveryError } from '#contracts/discovery/meta';
import type { WrittenError } from '../http/written-error.js';
import { FORMAT, MEDIA_TYPES, written } from './answer-format.js';
import { ArgumentReader } from './argument-reader.js';
import { parseQuery } from './query-string.js';

/** An Error body as the discovery API has it, in the format that the request asks for; JSON if that is what is wrong. */
export function discoveryError(target: string, status: number, body: ErrorBody): WrittenError {
  const format = FORMAT.read(new ArgumentReader(parseQuery(target)));
  const errors = body.errors.map(({ code, message }) => ({ code, message }));
  const message = errors.map((entry) => entry.message).join('; ');
  const error: DiscoveryError = { errors, message, status, meta: { status } };
  return {
    headers: { 'content-type': MEDIA_TYPES[format.kind], 'cache-control': 'no-store' },
    body: written(JSON.stringify(error), format),
  };
}
