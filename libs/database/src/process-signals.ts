/** True even if the process belongs to another user. */
export function isAlive(pid: number): boolean {
  return send(pid, 0);
}

export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    if (signal === 0) return true;
    throw error;
  }
}
