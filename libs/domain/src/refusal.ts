/** Why a command on an order is refused. One table in the api maps each code to its HTTP status. */
export type RefusalCode =
  | 'ORDER_EXISTS'
  | 'ORDER_UNKNOWN'
  | 'STATUS_CODE_UNKNOWN'
  | 'TRANSITION_NOT_ALLOWED'
  | 'VERSION_STALE'
  | 'NO_PERSONAL_DATA';

/** A domain rule refused the command. `decide` returns it as a value, the event store throws it, and nothing is written. */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
  }
}

export function refuse(code: RefusalCode, message: string): Refusal {
  return new Refusal(code, message);
}
