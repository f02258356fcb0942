import { quantile } from './interleaved.js';

/** `p50 12.1, p99 40.3, longest 51.0`, of milliseconds. */
export function inMs(values: readonly number[]): string {
  const at = (part: number) => quantile(values, part).toFixed(1);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${Math.max(...values).toFixed(1)}`;
}
