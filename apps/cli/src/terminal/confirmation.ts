import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { UsageError, UserError } from './user-error.js';

type Terminal = Readonly<{ input: Readable & { isTTY?: boolean }; output: Writable }>;

const stdio: Terminal = { input: process.stdin, output: process.stderr };

/**
 * Returns when the user agrees.
 * @throws UserError if the user refuses, UsageError without a terminal.
 */
export async function confirmed(question: string, { input, output } = stdio): Promise<void> {
  if (!input.isTTY) throw new UsageError(`${question} There is no terminal to ask at: add --yes.`);
  const lines = createInterface({ input, output });
  try {
    // End of input and Ctrl-C count as no.
    const ended = new Promise<string>((done) => lines.once('close', () => done('')));
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended]);
    if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('Nothing was changed.');
  } finally {
    lines.close();
  }
}
