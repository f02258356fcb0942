import { readFileSync } from 'node:fs';

/** Stops a process and its children without a word, as a machine that hangs does (Linux). What comes back lets them go on. */
export function freeze(pid: number): () => void {
  const frozen = [pid];
  process.kill(pid, 'SIGSTOP');
  // Listed after their parent has stopped: it makes no more.
  frozen.push(...childrenOf(pid));
  for (const each of frozen) process.kill(each, 'SIGSTOP');
  return () => {
    for (const each of frozen) process.kill(each, 'SIGCONT');
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
