type Waiting<Key, Row> = Readonly<{
  key: Key;
  resolve: (row: Row | undefined) => void;
  reject: (fault: unknown) => void;
}>;

// A statement that carries these is still answered in about a millisecond.
const KEYS_AT_ONCE = 100;

/**
 * Looks rows up by key, with one statement for all that are asked for within one turn of the event loop. A busy api
 * spends most of its time on system calls, and those to the database are then a few for many requests; an idle one
 * waits no longer for it.
 */
export class BatchedLookup<Key, Row> {
  private waiting: Waiting<Key, Row>[] = [];

  /** `read` answers with a row, or undefined, for each of the keys in their order; a key may be there several times. */
  constructor(private readonly read: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>) {}

  /** The row as it is no earlier than now. Throws what the reading throws. */
  async find(key: Key): Promise<Row | undefined> {
    return await new Promise((resolve, reject) => {
      if (this.waiting.push({ key, resolve, reject }) === 1) setImmediate(() => this.readAll());
    });
  }

  private readAll(): void {
    const asked = this.waiting;
    this.waiting = [];
    for (let from = 0; from < asked.length; from += KEYS_AT_ONCE)
      void this.answer(asked.slice(from, from + KEYS_AT_ONCE));
  }

  private async answer(asked: readonly Waiting<Key, Row>[]): Promise<void> {
    try {
      const rows = await this.read(asked.map(({ key }) => key));
      asked.forEach(({ resolve }, index) => resolve(rows[index]));
    } catch (fault) {
      for (const { reject } of asked) reject(fault);
    }
  }
}
