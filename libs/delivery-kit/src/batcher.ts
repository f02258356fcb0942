type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Combines concurrent calls into few statements: one per turn of the event loop, at most `limits.atOnce` at once. */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;
  private planned = false;

  /** @param run returns one result per item, in the same order */
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
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.underWay -= 1;
      this.plan();
    }
  }
}
