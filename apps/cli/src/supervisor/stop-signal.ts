import { once } from 'node:events';
import { isRunByNpm } from '#base/run-by-npm';

const PARENT_CHECK_EVERY_MS = 500;

/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP, and by the end of npm. Later signals change nothing: npm repeats a Ctrl-C that
 * the terminal already sent, and the stop has a time limit anyway.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  // A closed terminal must not end the supervisor before its processes have stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (isRunByNpm()) onParentGone(() => controller.abort());
  return controller.signal;
}

/** A signal to npm ends npm and its shell, but npm does not pass it on. */
function onParentGone(onGone: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, PARENT_CHECK_EVERY_MS);
  watch.unref();
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  // The timer keeps the process alive while nothing else does.
  const keepAlive = setInterval(() => undefined, 60_000);
  if (!signal.aborted) await once(signal, 'abort');
  clearInterval(keepAlive);
}

/** The result of `work`. Once the signal is aborted it rejects instead of waiting for the work, which ends with its database. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const stop = () => reject(new Error('the start was stopped', { cause: signal.reason }));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject);
  });
}
