/** Milliseconds, with fractions, since the machine came up: one clock for all processes, which nobody sets. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
