import DataLoader from 'dataloader';

// A statement that carries these is still answered in about a millisecond.
const KEYS_AT_ONCE = 100;

/**
 * Looks rows up by key, with one statement for all that are asked for within one turn of the event loop. A busy api
 * spends most of its time on system calls, and those to the database are then a few for many requests; an idle one
 * waits no longer for it.
 */
export class BatchedLookup<Key, Row> {
  private readonly loader: DataLoader<Key, Row | undefined>;

  /** `read` answers with a row, or undefined, for each of the keys in their order; a key may be there several times. */
  constructor(read: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>) {
    this.loader = new DataLoader<Key, Row | undefined>(read, {
      // A row that was read before it was asked for may have changed.
      cache: false,
      maxBatchSize: KEYS_AT_ONCE,
      batchScheduleFn: (dispatch) => void setImmediate(dispatch),
    });
  }

  /** The row as it is no earlier than now. Throws what the reading throws. */
  find(key: Key): Promise<Row | undefined> {
    return this.loader.load(key);
  }
}
