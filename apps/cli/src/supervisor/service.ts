import { fork } from 'node:child_process';
import { childEnvironment, type Settings } from '#config/settings';
import type { Running } from './kept.js';

/** A process of ours: `entry` is the file that Node runs. */
export type Service = { name: string; entry: string };

// Within SHUTDOWN_GRACE_MS a service cuts short by itself what is still in hand; this is for one that hangs.
const OVERDUE_AFTER_MS = 2_000;

/**
 * Runs a service with these settings in its environment. It gets a session of its own, so that Ctrl-C reaches it by
 * way of the supervisor only, and an IPC channel, by whose end it learns that the supervisor is gone.
 */
export function spawnService({ name, entry }: Service, settings: Settings): Running {
  const child = fork(entry, {
    env: childEnvironment(settings),
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<string>((done) => {
    child.once('exit', (code, signal) => done(signal ?? `exit code ${code}`));
    child.once('error', ({ message }) => done(message));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const overdue = setTimeout(() => {
      console.error(`Willcall: ${name} has not ended in time and is killed`);
      child.kill('SIGKILL');
    }, settings.SHUTDOWN_GRACE_MS + OVERDUE_AFTER_MS);
    await ended;
    clearTimeout(overdue);
  };
  return { ended, stop };
}
