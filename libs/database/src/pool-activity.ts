import type { Pool } from 'pg';

/**
 * Returns a counter of a pool's activity: it grows with each connection that is returned intact. Reading the counter also
 * sends a trivial query, so an idle pool counts too. A long queue for the connections of a busy pool does not stop the counter.
 */
export function poolActivity(pool: Pick<Pool, 'on' | 'query'>): () => number {
  let [count, isQuerying] = [0, false];
  pool.on('release', (error: Error | undefined) => {
    if (!error) count += 1;
  });
  return () => {
    if (!isQuerying) {
      isQuerying = true;
      // A failure does not count. If the server is unreachable, liveness sees that on a new connection too.
      pool
        .query('select')
        .catch(() => undefined)
        .finally(() => (isQuerying = false));
    }
    return count;
  };
}
