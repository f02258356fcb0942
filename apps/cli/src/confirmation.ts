import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { UsageError, UserError } from './user-error.js';

/** Where a person is asked. */
export type Terminal = Readonly<{ input: Readable & { isTTY?: boolean }; output: Writable }>;

const ours: Terminal = { input: process.stdin, output: process.stderr };

/**
 * Returns when a person at the terminal has agreed.
 * @throws UserError when the person has not, UsageError where nobody can be asked.
 */
export async function confirmed(question: string, { input, output } = ours): Promise<void> {
  if (!input.isTTY) throw new UsageError(`${question} There is no terminal to ask at: add --yes.`);
  const lines = createInterface({ input, output });
  try {
    // The end of the input and Ctrl-C are a no.
    const ended = new Promise<string>((done) => lines.once('close', () => done('')));
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended]);
    if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('Nothing was changed.');
  } finally {
    lines.close();
  }
}
