/** Whether there is such a process, ours or another user's. */
export function isAlive(pid: number): boolean {
  return send(pid, 0);
}

/** False when there is no such process (any more). */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    // Another user's process is alive as well; to end it is not for us.
    if (signal === 0) return true;
    throw error;
  }
}
