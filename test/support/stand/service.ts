import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { until } from '../until.js';

/** Of this build. */
export const PROGRAMS = resolve(import.meta.dirname, '../../../dist/programs');
const repository = resolve(import.meta.dirname, '../../..');
export type Program = 'api' | 'worker';

const LISTENING = /"address":"([^"]+)","message":"listening"/;

export type Ended = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>;

/** A built api or worker in its own process, which a test can kill, stop and restart. */
export class Service {
  readonly logFile: string;
  private child: ChildProcess | undefined;
  private ended: Promise<Ended> = Promise.resolve({ code: null, signal: null });
  private listensAt = '';

  /** `environment` and PATH are its whole environment. `folder` is its working directory and has its log. `programs` is the folder of a build. */
  constructor(
    private readonly program: Program,
    name: string,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly folder: string,
    private readonly programs = PROGRAMS,
  ) {
    this.logFile = join(folder, `${name}.log`);
    appendFileSync(this.logFile, '');
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get running(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Its whole output, from all runs. */
  readonly log = (): string => readFileSync(this.logFile, 'utf8');

  /** Waits until it listens. If it ends before, the error has its output. */
  async start(): Promise<void> {
    const before = this.log().length;
    const file = openSync(this.logFile, 'a');
    const child = fork(join(this.programs, `${this.program}.js`), {
      cwd: this.folder,
      env: { PATH: process.env.PATH, ...this.environment },
      execArgv: [],
      // Over the IPC channel it notices that the test run was killed.
      stdio: ['ignore', file, file, 'ipc'],
    });
    closeSync(file);
    this.child = child;
    this.ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as Ended);
    const listens = () => LISTENING.exec(this.log().slice(before))?.[1];
    const address = await until(() => listens() ?? !this.running, { withinMs: 240_000, everyMs: 50 });
    if (!this.running) throw new Error(`${this.logFile} ended:\n${this.log().slice(before)}`);
    this.listensAt = String(address);
  }

  /** Its address, as it said when it last began to listen. */
  get url(): string {
    return this.listensAt;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.running) process.kill(this.pid, signal);
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Disconnects, as if the parent process had died. */
  async abandon(): Promise<Ended> {
    this.child?.disconnect();
    return await this.ended;
  }

  /** SIGTERM: it may finish its current work. */
  async terminate(): Promise<Ended> {
    this.signal('SIGTERM');
    return await this.ended;
  }
}

/** Runs the built `willcall` and waits until it ends. */
export async function willcall(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  programs = PROGRAMS,
): Promise<Ended & { output: string }> {
  const child = fork(join(programs, 'willcall.js'), [...args], {
    cwd: repository,
    env: { PATH: process.env.PATH, ...environment },
    execArgv: [],
    silent: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, output };
}
