/** Reads whole numbers below 2^31: seven bits a byte, the lowest first. All but the last byte of a number have the eighth bit. */
export class NumberReader {
  constructor(
    private readonly bytes: Buffer,
    public at = 0,
  ) {}

  next(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  /** 0, -1, 1, -2, 2 … are written as 0, 1, 2, 3, 4 … */
  signed(): number {
    const value = this.next();
    return value & 1 ? -((value + 1) >>> 1) : value >>> 1;
  }
}
