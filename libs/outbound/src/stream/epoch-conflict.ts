import { errorEntry } from '#web/error-body.contract';
import type { EpochConflictBody, StreamEnd } from '../ping-stream.contract.js';
import { HttpError } from '#web/http-error';

/** The answer to a reader whose position may now belong to another entry. The reader decides where it continues. */
export function epochConflict({ epoch, last }: StreamEnd, isOtherEpoch: boolean): HttpError {
  const detail = isOtherEpoch ? 'epoch: the stream is in another one' : 'after: the stream ends before this position';
  const body: EpochConflictBody = { errors: [errorEntry(40902, detail)], meta: { epoch, last } };
  return new HttpError(409, body);
}
