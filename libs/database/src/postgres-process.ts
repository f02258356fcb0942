import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOf, type Cluster } from './postgres-cluster.js';

export type PostgresProcess = {
  pid: number | undefined;
  isRunning: () => boolean;
  exited: Promise<number | null>;
};

// The watchdog gives services 2 s to finish, then requests a fast shutdown, then an immediate one: all within 10 s. It starts before the
// shell turns into the server (with the same process id).
const WATCHED_SERVER = `
server=$$
(
  (
    trap '' INT TERM HUP QUIT
    read -r word <&3 && exit
    sleep 2
    kill -0 $server || exit
    running=
    if [ -f postmaster.pid ]; then read -r running < postmaster.pid; fi
    if [ -n "$running" ] && [ "$running" != $server ]; then exit; fi
    kill -INT $server || exit
    for second in 1 2 3 4 5; do
      sleep 1
      kill -0 $server || exit
    done
    kill -QUIT $server
  ) </dev/null >/dev/null 2>&1 &
)
exec "$@" 3<&-`;
const WATCHDOG_GONE_WITHIN_MS = 1_000;

/** A watchdog (a small shell) stops the server within 10 s after this process ends, even by SIGKILL. On Windows the next start does. */
export function spawnPostgres(cluster: Cluster, args: readonly string[], logFd: number): PostgresProcess {
  const { postgres } = cluster.binaries;
  const isWatched = process.platform !== 'win32';
  const [program, words] = isWatched
    ? ['/bin/sh', ['-c', WATCHED_SERVER, 'sh', postgres, ...args]]
    : [postgres, [...args]];
  const child = spawn(program, words, {
    ...environmentOf(cluster),
    cwd: cluster.directory,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', logFd, logFd, ...(isWatched ? (['pipe'] as const) : [])],
  });
  let isRunning = true;
  const ended = new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('exit', done);
  }).finally(() => (isRunning = false));
  const exited = ended.finally(() => releaseWatchdog(child));
  exited.catch(() => undefined);
  return { pid: child.pid, isRunning: () => isRunning, exited };
}

async function releaseWatchdog(child: ChildProcess): Promise<void> {
  const pipe = child.stdio[3] as (Writable & NodeJS.ReadableStream) | null | undefined;
  if (!pipe) return;
  pipe.on('error', () => undefined).resume();
  const gone = once(pipe, 'close').catch(() => undefined);
  pipe.end('done\n');
  await Promise.race([gone, sleep(WATCHDOG_GONE_WITHIN_MS, undefined, { ref: false })]);
}
