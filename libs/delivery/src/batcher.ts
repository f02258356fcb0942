import DataLoader from 'dataloader';

/**
 * Turns many calls at the same time into few statements. A call that comes while `limits.atOnce` batches are under way waits for
 * the next batch; otherwise it goes at the end of this turn of the event loop. When a batch fails, all its calls fail.
 */
export class Batcher<Item, Result> {
  private readonly loader: DataLoader<Item, Result>;
  /** Starts the batches that have not gone yet, in order. */
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  /** @param run gives a result for each item, in their order. */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: Readonly<{ atOnce: number; items: number }>,
  ) {
    this.loader = new DataLoader((items: readonly Item[]) => this.runBatch(items), {
      cache: false,
      maxBatchSize: limits.items,
      batchScheduleFn: (dispatch) => {
        this.waiting.push(dispatch);
        this.plan();
      },
    });
  }

  /** Throws at once for null and undefined, which are no items. */
  add(item: Item): Promise<Result> {
    return this.loader.load(item);
  }

  /** Other calls of this turn of the event loop go along. */
  private plan(): void {
    setImmediate(() => this.start());
  }

  private start(): void {
    while (this.underWay < this.limits.atOnce) {
      const dispatch = this.waiting.shift();
      if (!dispatch) return;
      this.underWay += 1;
      dispatch();
    }
  }

  private async runBatch(items: readonly Item[]): Promise<readonly Result[]> {
    try {
      return await this.run(items);
    } finally {
      this.underWay -= 1;
      this.plan();
    }
  }
}
