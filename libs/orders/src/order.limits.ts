// Characters, unless it says otherwise. The console's forms stop there too.

/** Of a note that is stored with a change. */
export const LONGEST_CHANGE_NOTE = 2_000;
/** Of a note on the order. */
export const LONGEST_NOTE = 10_000;
/** Shorter than any text that somebody would write as a note. */
export const LONGEST_TAG = 50;
/** Of what the buyer was told about other tickets. */
export const LONGEST_TERMS = 2_000;
/** Of why personal data was revealed. */
export const LONGEST_REVEAL_REASON = 500;
/** Of each part of the buyer's name and address. */
export const LONGEST_BUYER_TEXT = 255;
/** Orders on one page of a list or a search. */
export const MOST_ORDERS_A_PAGE = 200;
