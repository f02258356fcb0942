import { readFileSync } from 'node:fs';
import { familyOf, ifAlive } from './memory.js';

// USER_HZ, which Linux never changes for programs.
const MICROS_PER_TICK = 10_000;

/** The processor time of a process, its descendants, and those of them that have ended, in microseconds. */
function familyMicros(pid: number): number {
  return familyOf(pid).reduce((sum, member) => sum + (ifAlive(() => micros(member)) ?? 0), 0);
}

/** proc_stat(5): utime, stime, and both of the children that were waited for. */
function micros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks * MICROS_PER_TICK;
}

/** Runs `work`. Returns what each of these processes took meanwhile, in microseconds for one of `count`. */
export async function processorTimes<Name extends string>(
  pids: Readonly<Record<Name, number>>,
  count: number,
  work: () => Promise<void>,
): Promise<Readonly<Record<Name, number>>> {
  const read = () => Object.entries<number>(pids).map(([name, pid]) => [name, familyMicros(pid)] as const);
  const before = new Map(read());
  await work();
  const taken = read().map(([name, after]) => [name, (after - (before.get(name) ?? 0)) / count]);
  return Object.fromEntries(taken) as Record<Name, number>;
}
