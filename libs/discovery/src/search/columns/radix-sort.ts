const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;
const SIGN = 0x8000_0000;
const LARGEST = 0xffff_ffff;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const [LOW, HIGH] = IS_LITTLE_ENDIAN ? [0, 1] : [1, 0];

/** Slots with their keys as two unsigned integers, which compare in the same order as the keys. */
type KeyedSlots = Readonly<{ slots: Uint32Array; low: Uint32Array; high: Uint32Array }>;

/**
 * Ascending, slots without a key (NaN) last. Stable. For hundreds of thousands of slots it takes a tenth of the time of a comparison sort,
 * and it blocks the event loop.
 */
export function radixSort(slots: Uint32Array, keys: Float64Array | Int32Array): Uint32Array {
  let keyed = toKeyedSlots(slots, keys);
  let spare = allocate(slots.length);
  for (const half of ['low', 'high'] as const) {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      const starts = bucketStarts(keyed[half], shift);
      if (!starts) continue;
      distribute(keyed, spare, starts, keyed[half], shift);
      [keyed, spare] = [spare, keyed];
    }
  }
  return keyed.slots;
}

const allocate = (length: number): KeyedSlots => ({
  slots: new Uint32Array(length),
  low: new Uint32Array(length),
  high: new Uint32Array(length),
});

function toKeyedSlots(slots: Uint32Array, keys: Float64Array | Int32Array): KeyedSlots {
  const keyed = { ...allocate(slots.length), slots: slots.slice() };
  const number = new Float64Array(1);
  const bits = new Uint32Array(number.buffer);
  for (let at = 0; at < slots.length; at++) {
    const key = keys[slots[at] ?? 0] ?? 0;
    // Adding 0 turns -0 into 0.
    number[0] = key + 0;
    const low = bits[LOW] ?? 0;
    const high = bits[HIGH] ?? 0;
    const isNegative = high >= SIGN;
    keyed.low[at] = Number.isNaN(key) ? LARGEST : isNegative ? ~low : low;
    keyed.high[at] = Number.isNaN(key) ? LARGEST : isNegative ? ~high : high + SIGN;
  }
  return keyed;
}

/** Where the bucket of each digit starts; undefined if all keys share one digit. */
function bucketStarts(bits: Uint32Array, shift: number): Uint32Array | undefined {
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

function distribute(from: KeyedSlots, into: KeyedSlots, starts: Uint32Array, bits: Uint32Array, shift: number): void {
  for (let at = 0; at < bits.length; at++) {
    const digit = ((bits[at] ?? 0) >>> shift) & (DIGITS - 1);
    const to = starts[digit] ?? 0;
    starts[digit] = to + 1;
    into.slots[to] = from.slots[at] ?? 0;
    into.low[to] = from.low[at] ?? 0;
    into.high[to] = from.high[at] ?? 0;
  }
}
