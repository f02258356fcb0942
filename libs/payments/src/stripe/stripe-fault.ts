/** The package names what it reads of an answer. Digits are left out of all of it, so that no card number gets through. */
const WORD = /^[a-z_.[\]]{1,80}$/i;
const REQUEST = /^req_\w{1,40}$/;

/** The connection was never there, so nothing reached Stripe. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Stripe refuses the request, and will again. */
const REFUSALS = [400, 402, 403, 404];

type Clues = Readonly<{
  status: number | undefined;
  type: string | undefined;
  code: string | undefined;
  declineCode: string | undefined;
  param: string | undefined;
  connection: string | undefined;
  /** The id of the request whose answer this one repeats, because both have the same key. */
  replayOf: string | undefined;
}>;

/**
 * A request to Stripe failed. The package's own error has the request and the answer in it, so it never leaves this file: neither its
 * message nor itself as a cause.
 */
export class StripeFault extends Error {
  constructor(
    doing: string,
    readonly clues: Clues,
    request?: string,
  ) {
    const { status, code, declineCode, param, connection } = clues;
    const known = [status, code, declineCode, param, connection, request].filter((clue) => clue !== undefined);
    super(`Stripe: ${doing} failed (${known.join(', ') || 'no answer'}).`);
  }

  /** The card was declined. */
  get isDecline(): boolean {
    return this.clues.type === 'card_error';
  }

  /** Stripe said no to this request. It did nothing then, and would say the same again. */
  get isRefusal(): boolean {
    return REFUSALS.includes(this.clues.status ?? 0) && !this.isKeyUsed;
  }

  /** The key was used for a request with other parameters. */
  get isKeyUsed(): boolean {
    return this.clues.type === 'idempotency_error' && this.clues.status === 400;
  }

  /** Certainly nothing was done. */
  get didNothing(): boolean {
    const { status, connection } = this.clues;
    return this.isRefusal || status === 401 || status === 429 || NOT_CONNECTED.includes(connection ?? '');
  }

  /** Stripe keeps the answer of a failure under its key for a day, and gives no other one to that key. */
  get isKept(): boolean {
    return this.isKeyUsed || (this.clues.status ?? 0) >= 500;
  }
}

/** Waits for a call of the package. `doing` is for the message, e.g. "capture". @throws StripeFault for each error of it */
export async function ask<T>(doing: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw faultOf(doing, error);
  }
}

/** The same for a list that the package reads page by page. */
export async function* askEach<T>(doing: string, list: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* list;
  } catch (error) {
    throw faultOf(doing, error);
  }
}

function faultOf(doing: string, error: unknown): StripeFault {
  if (error instanceof StripeFault) return error;
  const status = field(error, 'statusCode');
  const headers = field(error, 'headers');
  const isReplay = field(headers, 'idempotent-replayed') === 'true';
  const clues = {
    status: typeof status === 'number' ? status : undefined,
    type: word(field(error, 'rawType')),
    code: word(field(error, 'code')),
    declineCode: word(field(error, 'decline_code')),
    param: word(field(error, 'param')),
    connection: word(field(field(error, 'detail'), 'code')),
    replayOf: isReplay ? requestId(field(headers, 'original-request')) : undefined,
  };
  return new StripeFault(doing, clues, requestId(field(error, 'requestId')));
}

const requestId = (text: unknown): string | undefined =>
  typeof text === 'string' && REQUEST.test(text) ? text : undefined;

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The text if it is one of the provider's words. */
export function word(text: unknown): string | undefined {
  return typeof text === 'string' && WORD.test(text) ? text : undefined;
}
