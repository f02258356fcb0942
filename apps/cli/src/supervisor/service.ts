import { fork } from 'node:child_process';
import { childEnvironment, type Settings } from '#config/settings';
import { SERVICE_OVERTIME_MS } from '#operations/shutdown-deadline';
import type { Running } from './supervised-process.js';

/** A process of ours: `entry` is the file that Node runs. */
export type Service = { name: string; entry: string };

// A service ends by itself before that. This is for one whose event loop stands still.
const OVERDUE_AFTER_MS = SERVICE_OVERTIME_MS + 200;

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
  const kill = () => void child.kill('SIGKILL');
  const stop = async () => {
    child.kill('SIGTERM');
    const overdue = setTimeout(() => {
      console.error(`Willcall: ${name} has not ended in time and is killed`);
      kill();
    }, settings.SHUTDOWN_GRACE_MS + OVERDUE_AFTER_MS);
    await ended;
    clearTimeout(overdue);
  };
  return { ended, stop, kill };
}
