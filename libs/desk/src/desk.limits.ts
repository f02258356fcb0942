// The console's forms stop there too.

/** Characters. */
export const LONGEST_QUEUE_NAME = 100;
/** Characters. */
export const LONGEST_MACRO_NAME = 100;
/** Before or after the time that a queue goes by, and until an order is escalated: a year. */
export const MOST_QUEUE_MINUTES = 525_600;
/** Characters. */
export const LONGEST_VIEW_NAME = 100;
/** Characters of a question for shows or venues. */
export const LONGEST_SHOW_QUESTION = 255;
