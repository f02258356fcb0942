import type { DomainError, DomainErrorCode } from '#domain/domain-error';
import type { ErrorCode } from './errors.contract.js';
import { HttpError } from './http-error.js';

/** The answer to every domain error. A new code without an answer does not compile. */
const ANSWERS: Readonly<Record<DomainErrorCode, ErrorCode>> = {
  ORDER_EXISTS: 40030,
  ORDER_UNKNOWN: 40400,
  STATUS_CODE_UNKNOWN: 42201,
  TRANSITION_NOT_ALLOWED: 40901,
  DEADLINE_PASSED: 40903,
  CONFLICT: 40902,
  LISTING_NOT_OFFERABLE: 40001,
  TICKET_UNKNOWN: 40400,
  SEAT_UNKNOWN: 40001,
  TRANSFER_UNKNOWN: 40400,
  CHOICE_OVER: 41000,
  FILE_TOO_LARGE: 41300,
  FILE_REFUSED: 41500,
  VERSION_STALE: 41201,
  NO_PERSONAL_DATA: 40400,
  PERSONAL_DATA_ERASED: 40902,
  CARD_DATA_REFUSED: 40001,
  NOT_REFUNDABLE: 40904,
  NOTHING_CAPTURED: 40905,
  DISPUTE_OPEN: 40906,
  DISPUTE_OVER: 40908,
  DISPUTE_UNKNOWN: 40400,
  REFUND_UNKNOWN: 40400,
  NEEDS_OTHER_PERSON: 40300,
};

/** What a request is answered that a rule of the domain refused. */
export const answerTo = ({ code, message }: DomainError): HttpError => HttpError.with(ANSWERS[code], message);
