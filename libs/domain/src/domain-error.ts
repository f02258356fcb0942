/** One table in the api maps each code to its HTTP status. */
export type DomainErrorCode =
  | 'ORDER_EXISTS'
  | 'ORDER_UNKNOWN'
  | 'STATUS_CODE_UNKNOWN'
  | 'TRANSITION_NOT_ALLOWED'
  | 'DEADLINE_PASSED'
  | 'CONFLICT'
  | 'LISTING_NOT_OFFERABLE'
  | 'TICKET_UNKNOWN'
  | 'SEAT_UNKNOWN'
  | 'TRANSFER_UNKNOWN'
  | 'CHOICE_OVER'
  | 'FILE_TOO_LARGE'
  | 'FILE_REFUSED'
  | 'VERSION_STALE'
  | 'NO_PERSONAL_DATA'
  | 'PERSONAL_DATA_ERASED'
  | 'CARD_DATA_REFUSED'
  | 'NOT_REFUNDABLE'
  | 'NOTHING_CAPTURED'
  | 'DISPUTE_OPEN'
  | 'DISPUTE_OVER'
  | 'DISPUTE_UNKNOWN'
  | 'REFUND_UNKNOWN'
  | 'NEEDS_OTHER_PERSON';

/** A rule rejected the command, so nothing is written. `decide` returns the error as a value, and the event store throws it. */
export class DomainError extends Error {
  constructor(
    readonly code: DomainErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export function domainError(code: DomainErrorCode, message: string): DomainError {
  return new DomainError(code, message);
}
