/** Values by key; the least recently used ones go when the total size exceeds the limit. */
export class LruCache<Value> {
  /** In the order of use: the most recently used is the last. */
  private readonly values = new Map<string, Value>();
  private size = 0;

  /** `most` is in the unit of `sizeOf`, which must return the same size for a value each time. */
  constructor(
    private readonly most: number,
    private readonly sizeOf: (value: Value) => number,
  ) {}

  get(key: string): Value | undefined {
    const value = this.values.get(key);
    if (value === undefined) return undefined;
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    this.values.set(key, value);
    this.size += this.sizeOf(value);
    for (const oldest of this.values.keys()) {
      if (this.size <= this.most) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.values.get(key);
    if (value === undefined) return;
    this.values.delete(key);
    this.size -= this.sizeOf(value);
  }

  clear(): void {
    this.values.clear();
    this.size = 0;
  }
}
