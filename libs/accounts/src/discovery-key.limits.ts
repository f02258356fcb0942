/** Requests per second that any key may be given. */
export const MOST_A_SECOND = 1_000_000;
/** The most documents a page that any key may be given. */
export const MAX_PER_PAGE = 5_000;
