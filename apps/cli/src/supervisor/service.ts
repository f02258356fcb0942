import { fork } from 'node:child_process';
import { childEnvironment } from '#base/load-settings';
import type { Environment, Settings } from '#base/settings';
import { SERVICE_OVERTIME_MS } from '#platform/shutdown-deadline';
import type { Running } from './supervised-process.js';

/** A Node process; `entry` is its main file. */
export type Service = { name: string; entry: string };

// A service normally ends itself before that. This is for one with a blocked event loop.
const KILL_AFTER_MS = SERVICE_OVERTIME_MS + 200;

/**
 * Starts a service with these settings in its environment. It gets a session of its own, so that Ctrl-C reaches only the
 * supervisor, and an IPC channel, whose end tells it that the supervisor is gone.
 * @param more the owner's login, for a process that needs it
 */
export function spawnService({ name, entry }: Service, settings: Settings, more: Environment = {}): Running {
  const child = fork(entry, {
    env: { ...childEnvironment(settings), ...more },
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
    }, settings.SHUTDOWN_GRACE_MS + KILL_AFTER_MS);
    await ended;
    clearTimeout(overdue);
  };
  return { ended, stop, kill };
}
