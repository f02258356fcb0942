import { readFileSync } from 'node:fs';

/** Freezes a process and its children, like a machine that hangs (Linux). Call the returned function to resume them. */
export function freeze(pid: number): () => void {
  const frozen = [pid];
  process.kill(pid, 'SIGSTOP');
  // List the children after the parent has stopped, because it can start no more.
  frozen.push(...childrenOf(pid));
  for (const each of frozen) process.kill(each, 'SIGSTOP');
  return () => {
    for (const each of frozen) process.kill(each, 'SIGCONT');
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
