/** Milliseconds, with fractions, since the machine started: a monotonic clock that all processes share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
