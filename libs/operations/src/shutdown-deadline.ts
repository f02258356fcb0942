const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A service exits this long after SHUTDOWN_GRACE_MS. Its supervisor needs the rest of the promised 2 s. */
export const SERVICE_OVERTIME_MS = 1_000;

/**
 * Exits at the latest `ms` after the first stop signal, even if something hangs, such as a pool that waits for an unresponsive
 * server. Calls `report` just before a forced exit.
 */
export function enforceShutdownDeadline(ms: number, report: () => void): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => {
      // Nobody else listens while the process starts, and there is nothing to finish yet.
      if (process.listenerCount(signal) === 0) return void process.kill(process.pid, signal);
      setTimeout(() => {
        report();
        process.exit(1);
      }, ms).unref();
    });
  }
}
