const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;
const SIGN = 0x8000_0000;
const LARGEST = 0xffff_ffff;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const [LOW, HIGH] = IS_LITTLE_ENDIAN ? [0, 1] : [1, 0];

/** Slots with their keys as two numbers, which compare as the keys do. */
type Keyed = Readonly<{ slots: Uint32Array; low: Uint32Array; high: Uint32Array }>;

/**
 * Slots by growing key, those without one (NaN) last; those of equal keys stay as they stand. Digit by digit (radix sort): of
 * hundreds of thousands in a tenth of the time that comparing takes, in which nobody else would be answered.
 */
export function sortedByKey(slots: Uint32Array, keys: Float64Array | Int32Array): Uint32Array {
  let keyed = keyedBy(slots, keys);
  let free = emptyOf(slots.length);
  for (const half of ['low', 'high'] as const) {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      const starts = startsOf(keyed[half], shift);
      if (!starts) continue;
      deal(keyed, free, starts, keyed[half], shift);
      [keyed, free] = [free, keyed];
    }
  }
  return keyed.slots;
}

const emptyOf = (length: number): Keyed => ({
  slots: new Uint32Array(length),
  low: new Uint32Array(length),
  high: new Uint32Array(length),
});

function keyedBy(slots: Uint32Array, keys: Float64Array | Int32Array): Keyed {
  const keyed = { ...emptyOf(slots.length), slots: slots.slice() };
  const number = new Float64Array(1);
  const bits = new Uint32Array(number.buffer);
  for (let at = 0; at < slots.length; at++) {
    const key = keys[slots[at] ?? 0] ?? 0;
    // A zero has one sign for all.
    number[0] = key + 0;
    const low = bits[LOW] ?? 0;
    const high = bits[HIGH] ?? 0;
    const isNegative = high >= SIGN;
    keyed.low[at] = Number.isNaN(key) ? LARGEST : isNegative ? ~low : low;
    keyed.high[at] = Number.isNaN(key) ? LARGEST : isNegative ? ~high : high + SIGN;
  }
  return keyed;
}

/** Where those with each digit begin; undefined when all have the same one. */
function startsOf(bits: Uint32Array, shift: number): Uint32Array | undefined {
  const counts = new Uint32Array(DIGITS);
  for (let at = 0; at < bits.length; at++) {
    const digit = ((bits[at] ?? 0) >>> shift) & (DIGITS - 1);
    counts[digit] = (counts[digit] ?? 0) + 1;
  }
  if (counts.includes(bits.length)) return undefined;
  let start = 0;
  return counts.map((count) => {
    start += count;
    return start - count;
  });
}

/** Each to the next place of those with its digit. */
function deal(from: Keyed, into: Keyed, starts: Uint32Array, bits: Uint32Array, shift: number): void {
  for (let at = 0; at < bits.length; at++) {
    const digit = ((bits[at] ?? 0) >>> shift) & (DIGITS - 1);
    const to = starts[digit] ?? 0;
    starts[digit] = to + 1;
    into.slots[to] = from.slots[at] ?? 0;
    into.low[to] = from.low[at] ?? 0;
    into.high[to] = from.high[at] ?? 0;
  }
}
