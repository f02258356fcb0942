import DataLoader from 'dataloader';

const MAX_KEYS = 100;

/** All lookups of one turn of the event loop share one statement, which saves a busy api most of its system calls to the database. */
export class BatchedLookup<Key, Row> {
  private readonly loader: DataLoader<Key, Row | undefined>;

  /** @param read returns a row or undefined for each key, in their order. A key may occur several times. */
  constructor(read: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>) {
    this.loader = new DataLoader<Key, Row | undefined>(read, {
      // A cached row may have changed.
      cache: false,
      maxBatchSize: MAX_KEYS,
      batchScheduleFn: (dispatch) => void setImmediate(dispatch),
    });
  }

  find(key: Key): Promise<Row | undefined> {
    return this.loader.load(key);
  }
}
