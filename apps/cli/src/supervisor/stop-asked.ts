import { once } from 'node:events';
import { isRunByNpm } from '#config/run-by-npm';

const PARENT_SEEN_EVERY_MS = 500;

/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP, and by the end of npm. Further signals change nothing: npm repeats a
 * Ctrl-C that the terminal has sent already, and what is stopping has a limit of time anyway.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  // A terminal that has gone away must not end the supervisor before it has stopped what it started.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (isRunByNpm()) onParentGone(() => controller.abort());
  return controller.signal;
}

/** A signal to npm ends npm and its shell, which does not pass it on. */
function onParentGone(act: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    act();
  }, PARENT_SEEN_EVERY_MS);
  watch.unref();
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  // Without a listener on anything else the process would end here.
  const awake = setInterval(() => undefined, 60_000);
  if (!signal.aborted) await once(signal, 'abort');
  clearInterval(awake);
}
