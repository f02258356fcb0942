/** How an endpoint stands: `open` is held back by its breaker, `behind` gets what it is sent, but late. */
export type EndpointState = 'delivering' | 'behind' | 'failing' | 'open' | 'paused' | 'disabled';

export type Seen = Readonly<{
  /** What staff or the receiver have said about it. */
  term: 'active' | 'paused' | 'disabled';
  breaker: 'closed' | 'open' | 'half_open';
  /** None of the last attempts succeeded. */
  failing: boolean;
  /** How long the oldest that is undelivered has waited. */
  waitedMs: number;
}>;

// Delivery takes a fraction of a second. After this long somebody who looks will want to know why.
const BEHIND_AFTER_MS = 60_000;

/** The most telling of what is true of it. */
export function endpointState({ term, breaker, failing, waitedMs }: Seen): EndpointState {
  if (term !== 'active') return term;
  if (breaker !== 'closed') return 'open';
  if (failing) return 'failing';
  return waitedMs > BEHIND_AFTER_MS ? 'behind' : 'delivering';
}
