import type { ErrorBody } from '#web/error-body.contract';
import type { DiscoveryError } from './routes/meta.contract.js';
import type { FailedRequest, WrittenError } from '#web/written-error';
import { FORMAT, isOwnPage, MEDIA_TYPES, render } from './routes/answer-format.js';
import { ArgumentReader } from './routes/argument-reader.js';
import { parseQuery } from './routes/query-string.js';

/** The Error body of the discovery API, in the requested format; JSON if the format itself is invalid. */
export function discoveryError({ url = '', headers }: FailedRequest, status: number, body: ErrorBody): WrittenError {
  const asked = FORMAT.read(new ArgumentReader(parseQuery(url)));
  const format = asked.kind === 'jsonp' && isOwnPage(headers) ? ({ kind: 'json' } as const) : asked;
  const errors = body.errors.map(({ code, message }) => ({ code, message }));
  const message = errors.map((entry) => entry.message).join('; ');
  const error: DiscoveryError = { errors, message, status, meta: { status } };
  return {
    headers: { 'content-type': MEDIA_TYPES[format.kind], 'cache-control': 'no-store' },
    body: render(JSON.stringify(error), format),
  };
}
