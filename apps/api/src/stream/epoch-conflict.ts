import { errorEntry } from '#contracts/checkout/error-body';
import type { EpochConflictBody } from '#contracts/stream/ping-stream';
import type { StreamEnd } from '#ping-stream/ping-stream-reader';
import { HttpError } from '../http/http-error.js';

/** The answer to a reader whose position may stand for another entry now: it decides where it goes on. */
export function epochConflict({ epoch, last }: StreamEnd, isOtherEpoch: boolean): HttpError {
  const detail = isOtherEpoch ? 'epoch: the stream is in another one' : 'after: the stream ends before this position';
  const body: EpochConflictBody = { errors: [errorEntry(40902, detail)], meta: { epoch, last } };
  return new HttpError(409, body);
}
