import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { confirmed } from './confirmation.js';
import { UsageError, UserError } from './user-error.js';

function terminal(answer: string | undefined) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  if (answer === undefined) input.end();
  else input.write(`${answer}\n`);
  return { input, output };
}

describe('a confirmation', () => {
  it.each(['y', 'Y', 'yes', ' yes '])('is given by %j', async (answer) => {
    const dialog = terminal(answer);
    await confirmed('Revoke acme?', dialog);
    expect(String(dialog.output.read())).toContain('Revoke acme? [y/N] ');
  });

  it.each(['', 'n', 'yesterday', undefined])('is not given by %j', async (answer) => {
    await expect(confirmed('Revoke acme?', terminal(answer))).rejects.toThrow(new UserError('Nothing was changed.'));
  });

  it('needs --yes without a terminal', async () => {
    const answer = confirmed('Revoke acme?', { input: new PassThrough(), output: new PassThrough() });
    await expect(answer).rejects.toThrow(UsageError);
    await expect(answer).rejects.toThrow(/add --yes/);
  });
});
