/** Two ways of doing the same, in turns, so that whatever else the machine does meanwhile meets both. */
export type Comparison = Readonly<{
  /** Medians, in units a second. */
  ours: number;
  limit: number;
  ratio: number;
  /** The lowest and the highest ratio of one round. */
  spread: readonly [number, number];
}>;

/** Runs `limit` and `ours` alternately, each once before it counts; both answer with a rate. */
export async function interleaved(
  rounds: number,
  limit: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<Comparison> {
  await limit();
  await ours();
  const limits: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    limits.push(await limit());
    rates.push(await ours());
  }
  const ratios = rates.map((rate, round) => rate / (limits[round] ?? Number.NaN));
  return {
    ours: median(rates),
    limit: median(limits),
    ratio: median(rates) / median(limits),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which that part of the values lies; NaN of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** `2,431 a second against 4,012; one round 0.58 to 0.63`. */
export function inWords({ ours, limit, spread: [low, high] }: Comparison): string {
  const rate = (value: number) => Math.round(value).toLocaleString('en-US');
  return `${rate(ours)} a second against ${rate(limit)}; one round ${low.toFixed(2)} to ${high.toFixed(2)}`;
}
