/** Why something asked of an order is refused. Each has its HTTP status in one table of the api. */
export type RefusalCode =
  | 'ORDER_EXISTS'
  | 'ORDER_UNKNOWN'
  | 'STATUS_CODE_UNKNOWN'
  | 'TRANSITION_NOT_ALLOWED'
  | 'VERSION_STALE'
  | 'NO_PERSONAL_DATA';

/** A rule of the domain said no. It is a value: `decide` returns it, the store's caller throws it, nothing is written. */
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
