/** `open`: the circuit breaker holds deliveries back. `behind`: deliveries succeed, but late. */
export type EndpointState = 'delivering' | 'behind' | 'failing' | 'open' | 'paused' | 'disabled';

export type EndpointObservation = Readonly<{
  /** Set by staff or the receiver. */
  term: 'active' | 'paused' | 'disabled';
  breaker: 'closed' | 'open' | 'half_open';
  failing: boolean;
  /** Of the oldest undelivered entry. */
  waitedMs: number;
}>;

// Delivery normally takes a fraction of a second, so such a delay needs attention.
const BEHIND_AFTER_MS = 60_000;

export function endpointState({ term, breaker, failing, waitedMs }: EndpointObservation): EndpointState {
  if (term !== 'active') return term;
  if (breaker !== 'closed') return 'open';
  if (failing) return 'failing';
  return waitedMs > BEHIND_AFTER_MS ? 'behind' : 'delivering';
}
