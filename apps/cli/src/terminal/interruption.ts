const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Passes `work` a signal that Ctrl-C aborts. Afterwards Ctrl-C ends the process again. */
export async function untilInterrupted<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const name of SIGNALS) process.once(name, abort);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, abort);
  }
}
