import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

const bench = resolve(import.meta.dirname, '..');

type Answer<Result> = { result: Result } | { error: string };

/** A child process that serves one request at a time, so that its work takes no CPU of the measuring process. */
export class SideProcess<Request extends object, Result> {
  private readonly child: ChildProcess;

  /** @param file below bench; it must call `serveRequests`. */
  constructor(file: string) {
    this.child = fork(join(bench, file.replace(/\.ts$/, '.js')));
  }

  async run(request: Request): Promise<Result> {
    this.child.send(request);
    const answered = new AbortController();
    const ended = once(this.child, 'exit', { signal: answered.signal });
    ended.catch(() => undefined);
    try {
      const [answer] = (await Promise.race([
        once(this.child, 'message', { signal: answered.signal }),
        ended.then(([code]) => [{ error: `the process ended with code ${code}` }]),
      ])) as [Answer<Result>];
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    } finally {
      answered.abort();
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}

/** Called in the child process: answers each request of the SideProcess. */
export function serveRequests<Request extends object, Result>(work: (request: Request) => Promise<Result>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (request: Request) => {
    void work(request).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}
