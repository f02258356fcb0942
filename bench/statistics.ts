export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The quantile of `part`, from 0 to 1; NaN without values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** `p50 12.1, p99 40.3, longest 51.0`, from milliseconds. */
export function inMs(values: readonly number[]): string {
  const at = (part: number) => quantile(values, part).toFixed(1);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${Math.max(...values).toFixed(1)}`;
}
