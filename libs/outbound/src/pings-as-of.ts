import type { Ping } from './ping.contract.js';

/**
 * The pings of an order as they were when it had `count` statuses. A ping whose later attempts are left out has no next attempt: when
 * it was planned is not kept.
 */
export function pingsAsOf(pings: readonly Ping[], count: number, includes: (instant: string) => boolean): Ping[] {
  return pings.filter(({ sequence }) => sequence <= count).map((ping) => pingAsOf(ping, includes));
}

function pingAsOf(ping: Ping, includes: (instant: string) => boolean): Ping {
  const attempts = ping.attempts.filter((attempt) => includes(attempt.started_at));
  const isDelivered = ping.delivered_at !== null && includes(ping.delivered_at);
  if (attempts.length === ping.attempts.length && isDelivered === (ping.delivered_at !== null)) return ping;
  return {
    ...ping,
    attempts,
    tries: attempts.length,
    state: isDelivered ? 'delivered' : 'pending',
    next_try_at: null,
    delivered_at: isDelivered ? ping.delivered_at : null,
  };
}
