import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadOrder, LoadResult } from './load-generator.js';

/** Sends load from a process of its own, one order after another. */
export class Load {
  private readonly child: ChildProcess = fork(join(import.meta.dirname, 'load-generator.js'));

  /** Fails when a single answer has another status than the one that was ordered. */
  async run(order: LoadOrder): Promise<LoadResult> {
    this.child.send(order);
    const [answer] = (await once(this.child, 'message')) as [{ result: LoadResult } | { error: string }];
    if ('error' in answer) throw new Error(answer.error);
    return answer.result;
  }

  async stop(): Promise<void> {
    this.child.disconnect();
    await once(this.child, 'exit');
  }
}

/** The connections of the figures in issue 2. */
export const CONNECTIONS = 50;
