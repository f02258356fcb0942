/** Values by key, as many of those used last as fit. */
export class LruCache<Value> {
  /** In the order of use: what was just used stands at the end. */
  private readonly values = new Map<string, Value>();
  private size = 0;

  /** `most` in the unit of `sizeOf`, which must say the same of a value each time. */
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
