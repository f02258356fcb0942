const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** How long after SHUTDOWN_GRACE_MS a service ends by itself. Its supervisor needs the rest of the promised 2 s. */
export const SERVICE_OVERTIME_MS = 1_000;

/**
 * Ends this process at the latest so many milliseconds after the first signal to stop, whatever hangs: a pool that waits for
 * a silent server, a queue that does not close. `report` is called just before a forced end.
 */
export function endWithin(ms: number, report: () => void): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => {
      // While the process starts nobody else listens, and there is nothing to finish.
      if (process.listenerCount(signal) === 0) return void process.kill(process.pid, signal);
      setTimeout(() => {
        report();
        process.exit(1);
      }, ms).unref();
    });
  }
}
