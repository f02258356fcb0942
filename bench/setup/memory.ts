import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Memory is read from /proc, which only Linux has. Megabytes are 1,000,000 bytes. */
export const memoryIsKnown = process.platform === 'linux';

/** Resets what `peakMb` returns. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The highest resident memory since the start or `forgetPeak`. */
export function peakMb(pid: number): number {
  return kilobytes(`/proc/${pid}/status`, 'VmHWM');
}

/** The resident memory now. */
export function residentMb(pid: number): number {
  return kilobytes(`/proc/${pid}/status`, 'VmRSS');
}

/** Resident memory of a process and all its descendants by program name. Shared memory counts once. */
export function familyMb(pid: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const member of familyOf(pid)) {
    const mb = ifAlive(() => kilobytes(`/proc/${member}/smaps_rollup`, 'Pss')) ?? 0;
    const name = ifAlive(() => nameOf(member)) ?? 'ended';
    sums.set(name, (sums.get(name) ?? 0) + mb);
  }
  return sums;
}

/** A process and all its descendants. */
export function familyOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), ifAlive(() => parentOf(name))] as const);
  const family = [pid];
  for (const member of family)
    family.push(...parents.filter(([, parent]) => parent === member).map(([child]) => child));
  return family;
}

// The name in the second field may contain anything, even brackets. It ends at the last bracket.
const parentOf = (pid: string) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);

function nameOf(pid: number): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  if (command.includes('postgres')) return 'Postgres';
  return /apps\/(\w+)\//.exec(command)?.[1] ?? command.split(' ')[0] ?? '';
}

function kilobytes(file: string, field: string): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(file, 'utf8'))?.[1];
  if (kibibytes === undefined) throw new Error(`${file} has no ${field}`);
  return (Number(kibibytes) * 1_024) / 1e6;
}

/** Undefined if the process has ended since it was found. */
export function ifAlive<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
