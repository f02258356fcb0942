import type { Pool } from 'pg';

/** A counter that grows with each connection that is returned intact. Reading it also sends a trivial query, so an idle pool counts too. */
export function poolActivity(pool: Pick<Pool, 'on' | 'query'>): () => number {
  let [count, isQuerying] = [0, false];
  pool.on('release', (error: Error | undefined) => {
    if (!error) count += 1;
  });
  return () => {
    if (!isQuerying) {
      isQuerying = true;
      // A failure does not count. If the server is unreachable, liveness notices on a new connection.
      pool
        .query('select')
        .catch(() => undefined)
        .finally(() => (isQuerying = false));
    }
    return count;
  };
}
