import type { Pool } from 'pg';

/**
 * Counts what a pool has done: connections that were given back whole, and answers to a question that is asked whenever the count is
 * read and none is under way. A busy pool counts by what it does, so a long queue for its connections is not taken for silence.
 */
export function countTurns(pool: Pick<Pool, 'on' | 'query'>): () => number {
  let [turns, asking] = [0, false];
  pool.on('release', (error: Error | undefined) => {
    if (!error) turns += 1;
  });
  return () => {
    if (!asking) {
      asking = true;
      // What fails is no turn: a server that is away does not answer on a new connection either.
      pool
        .query('select')
        .catch(() => undefined)
        .finally(() => (asking = false));
    }
    return turns;
  };
}
