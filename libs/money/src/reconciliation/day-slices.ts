const DAY_MS = 86_400_000;

/** A period in parts of at most so long, so that no statement takes long. The times are milliseconds since the epoch; the end is exclusive. */
export function* daySlices(from: number, to: number): Generator<Readonly<{ from: string; to: string }>> {
  for (let start = from; start < to; start += DAY_MS) yield { from: iso(start), to: iso(Math.min(start + DAY_MS, to)) };
}

export const iso = (ms: number): string => new Date(ms).toISOString();
