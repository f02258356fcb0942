const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A service exits this long after SHUTDOWN_GRACE_MS. Its supervisor needs the rest of the promised 2 s. */
export const SERVICE_OVERTIME_MS = 1_000;

/** Exits at the latest `ms` after the first stop signal, even if something hangs. Calls `onTimeout` just before a forced exit. */
export function enforceShutdownDeadline(ms: number, onTimeout: () => void): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => {
      // While the process starts it has no other listener and nothing to finish.
      if (process.listenerCount(signal) === 0) return void process.kill(process.pid, signal);
      setTimeout(() => {
        onTimeout();
        process.exit(1);
      }, ms).unref();
    });
  }
}
