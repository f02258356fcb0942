import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

const bench = resolve(import.meta.dirname, '..');

type Answer<Result> = { result: Result } | { error: string };

/** A process of the bench's own that does one thing after another, so that it takes no time of the one that measures. */
export class SideProcess<Order extends object, Result> {
  private readonly child: ChildProcess;

  /** @param file below bench; it calls `takeOrders`. */
  constructor(file: string) {
    this.child = fork(join(bench, file.replace(/\.ts$/, '.js')));
  }

  async run(order: Order): Promise<Result> {
    this.child.send(order);
    const answered = new AbortController();
    const ended = once(this.child, 'exit', { signal: answered.signal });
    ended.catch(() => undefined);
    try {
      const [answer] = (await Promise.race([
        once(this.child, 'message', { signal: answered.signal }),
        ended.then(([code]) => [{ error: `it ended with code ${code}` }]),
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

/** The other end of a SideProcess. */
export function takeOrders<Order extends object, Result>(work: (order: Order) => Promise<Result>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (order: Order) => {
    void work(order).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}
