type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (fault: unknown) => void;
};

/**
 * Many calls at the same time become few statements: what comes while earlier batches are under way waits for the next
 * one. A lone call waits for nobody.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;
  private planned = false;

  /** `run` gives a result for each item, in their order. */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: Readonly<{ atOnce: number; items: number }>,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.plan();
    });
  }

  private plan(): void {
    if (this.planned || this.underWay >= this.limits.atOnce || this.waiting.length === 0) return;
    this.planned = true;
    // What else this turn of the event loop brings goes along.
    setImmediate(() => {
      this.planned = false;
      void this.flush();
    });
  }

  private async flush(): Promise<void> {
    const batch = this.waiting.splice(0, this.limits.items);
    this.underWay += 1;
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (fault) {
      for (const { reject } of batch) reject(fault);
    } finally {
      this.underWay -= 1;
      this.plan();
    }
  }
}
