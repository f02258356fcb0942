/** Returns whether the process exists, even if it belongs to another user. */
export function isAlive(pid: number): boolean {
  return send(pid, 0);
}

export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    // EPERM: the process exists but belongs to another user.
    if (signal === 0) return true;
    throw error;
  }
}
