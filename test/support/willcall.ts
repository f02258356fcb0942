import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { until } from './until.js';

export type Willcall = {
  process: ChildProcess;
  /** The whole output so far, stdout and stderr. */
  output(): string;
  /** The text after `name` in its output, for example the address after "api". */
  printed(name: string): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

const dist = resolve(import.meta.dirname, '../../dist');

/** Runs a built program (`programs/willcall.js start`) in its own process group, with only PATH of our environment. */
export function runWillcall(
  command: string,
  folder: string,
  environment: Record<string, string> = {},
  by: 'itself' | 'shell' = 'itself',
): Willcall {
  const [program = '', ...args] = command.split(' ');
  const run = [process.execPath, join(dist, program), ...args];
  // The second command keeps the shell from replacing itself with the first.
  const [executable = '', ...rest] = by === 'shell' ? ['sh', '-c', `${run.join(' ')}; true`] : run;
  const child = spawn(executable, rest, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), ...environment },
  });
  return followed(child);
}

/** Runs a command line in the repository's root like a person in a terminal: in a shell with its own process group. */
export function runInShell(commandLine: string, environment: Record<string, string>): Willcall {
  return followed(
    spawn('sh', ['-c', commandLine], {
      cwd: resolve(import.meta.dirname, '../..'),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    }),
  );
}

/** With what it prints. */
export function followed(child: ChildProcessByStdio<null, Readable, Readable>): Willcall {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const ended: Willcall['ended'] = new Promise((done) => child.once('close', (code, signal) => done({ code, signal })));
  const printed = (name: string) => new RegExp(`^ +${name} {2,}(\\S+)$`, 'm').exec(output)?.[1] ?? '';
  return { process: child, output: () => output, printed, ended };
}

/** Waits until it is ready. The error has its output. */
export async function untilWelcome(willcall: Willcall): Promise<void> {
  let isOver = false;
  void willcall.ended.then(() => (isOver = true));
  await until(() => isOver || willcall.output().includes('is ready'), { withinMs: 120_000 });
  if (isOver) throw new Error(`Willcall ended before it was ready:\n${willcall.output()}`);
}

/** Like Ctrl-C in a terminal: signals the whole process group. */
export function pressCtrlC({ process: { pid } }: Willcall): void {
  if (pid !== undefined) process.kill(-pid, 'SIGINT');
}

/** Processes with this folder in their arguments, environment or current directory, and `program` in their arguments (Linux only). */
export function processesIn(folder: string, program = ''): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => pid !== process.pid && names(pid, folder, program));
}

/** Waits until no process names this folder. */
export async function untilGone(folder: string): Promise<void> {
  // Reading all of /proc takes about 10 ms.
  await until(() => processesIn(folder).length === 0, { withinMs: 60_000, everyMs: 100 });
}

function names(pid: number, folder: string, program: string): boolean {
  const command = textOf(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  const environment = textOf(() => readFileSync(`/proc/${pid}/environ`, 'utf8'));
  const directory = textOf(() => readlinkSync(`/proc/${pid}/cwd`));
  return command.includes(program) && [command, environment, directory].some((text) => text.includes(folder));
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}
