type Numbers = Float64Array | Int32Array;

/** A value that was never set reads as 0. */
export class Column<Data extends Numbers = Float64Array> {
  constructor(public data: Data) {}

  static ofNumbers(): Column {
    return new Column(new Float64Array(1024));
  }

  /** Integers are faster to compare and to look up. */
  static ofIntegers(): Column<Int32Array> {
    return new Column(new Int32Array(1024));
  }

  set(slot: number, value: number): void {
    if (slot >= this.data.length) {
      const longer = new (this.data.constructor as new (length: number) => Data)(
        Math.max(this.data.length * 2, slot + 1),
      );
      longer.set(this.data);
      this.data = longer;
    }
    this.data[slot] = value;
  }

  get(slot: number): number {
    return this.data[slot] ?? 0;
  }
}

/** How a column stores a null: every comparison with NaN is false. */
export const NULL_VALUE = Number.NaN;
