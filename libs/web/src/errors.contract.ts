/** A sentence for the buyer when the buyer cannot fix the problem. */
export const NOT_THE_BUYER = 'Something went wrong. Please try again later.';

/**
 * Every error code of an Error body, with its HTTP status. 40009 to 40040 and their messages come from the specification's
 * table. The others come from the contract: the status and two digits.
 */
export const ERRORS = {
  40000: { status: 400, message: 'Malformed request', user_message: NOT_THE_BUYER },
  40001: { status: 400, message: 'Missing or invalid field', user_message: NOT_THE_BUYER },
  40009: { status: 400, message: 'Invalid quantity', user_message: 'Please choose another number of tickets.' },
  40011: {
    status: 400,
    message: 'Quantity selected not available',
    user_message: 'That number of tickets is no longer available. Please choose another.',
  },
  40012: { status: 400, message: 'Invalid listing id', user_message: 'These tickets could not be found.' },
  40014: { status: 400, message: 'Listing not available', user_message: 'These tickets are no longer available.' },
  40016: {
    status: 400,
    message: 'Payment declined',
    user_message: 'Your payment was declined. Please try another card.',
  },
  40017: { status: 400, message: 'Invalid credit card number', user_message: 'Please check the card number.' },
  40024: { status: 400, message: 'Invalid zip code', user_message: 'Please check the ZIP or postal code.' },
  40026: {
    status: 400,
    message: 'Invalid total',
    user_message: 'The price has changed. Please look at the new total and try again.',
  },
  40030: { status: 400, message: 'Duplicate purchase', user_message: 'This purchase has already been made.' },
  40032: {
    status: 400,
    message: 'Invalid billing state',
    user_message: 'Please check the state of the billing address.',
  },
  40033: {
    status: 400,
    message: 'Invalid shipping state',
    user_message: 'Please check the state of the shipping address.',
  },
  40034: { status: 400, message: 'Invalid shipping address', user_message: 'Please check the shipping address.' },
  40035: { status: 400, message: 'Invalid CVV', user_message: 'Please check the security code of the card.' },
  40038: { status: 400, message: 'Invalid billing address', user_message: 'Please check the billing address.' },
  40039: { status: 400, message: 'Invalid expiration date', user_message: 'Please check the expiry date of the card.' },
  40040: { status: 400, message: 'Invalid purchase id', user_message: 'This purchase could not be found.' },
  40100: { status: 401, message: 'Authentication failed', user_message: NOT_THE_BUYER },
  40110: { status: 401, message: 'E-mail address, password or code is wrong', user_message: NOT_THE_BUYER },
  40111: { status: 401, message: 'A code is needed', user_message: NOT_THE_BUYER },
  40112: { status: 401, message: 'Confirm that it is you', user_message: NOT_THE_BUYER },
  40300: { status: 403, message: 'Not allowed', user_message: NOT_THE_BUYER },
  40307: { status: 403, message: 'Missing or invalid API key', user_message: NOT_THE_BUYER },
  40310: { status: 403, message: 'Missing or wrong X-CSRF-Token', user_message: NOT_THE_BUYER },
  40311: { status: 403, message: 'Set up an authenticator app first', user_message: NOT_THE_BUYER },
  40400: { status: 404, message: 'Not found', user_message: NOT_THE_BUYER },
  40800: { status: 408, message: 'Request took too long to arrive', user_message: NOT_THE_BUYER },
  40901: { status: 409, message: 'Transition not allowed', user_message: NOT_THE_BUYER },
  40902: { status: 409, message: 'Conflict', user_message: NOT_THE_BUYER },
  40903: { status: 409, message: 'After the deadline', user_message: NOT_THE_BUYER },
  40904: { status: 409, message: 'More than can still be refunded', user_message: NOT_THE_BUYER },
  40905: { status: 409, message: 'Nothing was captured', user_message: NOT_THE_BUYER },
  40906: { status: 409, message: 'The payment is disputed', user_message: NOT_THE_BUYER },
  40907: { status: 409, message: 'The first request with this key is still running', user_message: NOT_THE_BUYER },
  40908: { status: 409, message: 'The dispute does not allow that', user_message: NOT_THE_BUYER },
  41000: { status: 410, message: 'No longer open', user_message: 'It is too late for that.' },
  41201: { status: 412, message: 'Stale version', user_message: NOT_THE_BUYER },
  41300: { status: 413, message: 'Request too large', user_message: NOT_THE_BUYER },
  41500: { status: 415, message: 'Unsupported content encoding or type', user_message: NOT_THE_BUYER },
  42100: { status: 421, message: 'Unknown host', user_message: NOT_THE_BUYER },
  42201: { status: 422, message: 'Unknown status code', user_message: NOT_THE_BUYER },
  42202: { status: 422, message: 'The key belongs to another request', user_message: NOT_THE_BUYER },
  42900: {
    status: 429,
    message: 'Too many requests',
    user_message: 'We are very busy just now. Please try again in a moment.',
  },
  43100: { status: 431, message: 'Request headers too large', user_message: NOT_THE_BUYER },
  50000: {
    status: 500,
    message: 'Unexpected failure',
    // The failure may come after the purchase was recorded, so a retry could buy twice.
    user_message: 'Something went wrong. Please check whether your order arrived before you try again.',
  },
  50300: {
    status: 503,
    message: 'Temporarily unavailable',
    user_message: 'We are very busy just now. Please try again in a moment.',
  },
} as const satisfies Readonly<Record<number, { status: number; message: string; user_message: string }>>;

export type ErrorCode = keyof typeof ERRORS;

/** The specification has two messages for 40014: this one for a lookup, the table's for a purchase. */
export const LOOKUP_UNAVAILABLE_MESSAGE = 'Listing no longer available';
