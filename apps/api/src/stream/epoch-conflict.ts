import { errorEntry } from '#contracts/checkout/error-body';
import type { EpochConflictBody } from '#contracts/stream/ping-stream';
import type { StreamEnd } from '#ping-stream/ping-stream-reader';
import { HttpError } from '../http/http-error.js';

/** The answer to a reader whose position may now belong to another entry. The reader decides where it continues. */
export function epochConflict({ epoch, last }: StreamEnd, isOtherEpoch: boolean): HttpError {
  const detail = isOtherEpoch ? 'epoch: the stream is in another one' : 'after: the stream ends before this position';
  const body: EpochConflictBody = { errors: [errorEntry(40902, detail)], meta: { epoch, last } };
  return new HttpError(409, body);
}
