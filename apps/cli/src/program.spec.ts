import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { examplesOf } from './examples.js';
import { allCommands, willcallProgram } from './program.js';
import { exitCodeOf, UsageError, Unreachable, UserError } from './terminal/user-error.js';

type Run = { path: string; args: unknown[] };

/** The program with actions that only record their calls, and its output. */
async function quietProgram() {
  const program = await willcallProgram();
  const runs: Run[] = [];
  let output = '';
  for (const command of allCommands(program)) {
    command.configureOutput({ writeOut: (text) => (output += text), writeErr: (text) => (output += text) });
    if (command.commands.length === 0) {
      command.action((...args: unknown[]) => void runs.push({ path: command.name(), args }));
    }
  }
  return { program, runs, output: () => output };
}

/** Splits like a shell: at blanks that are not in double quotes. */
const words = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
const commands = allCommands(await willcallProgram()).filter(({ parent }) => parent !== null);
const leaves = commands.filter((command) => command.commands.length === 0);
const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

async function failure(...args: string[]): Promise<unknown> {
  const { program } = await quietProgram();
  return await program.parseAsync(args, { from: 'user' }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('willcall', () => {
  it.each(commands.map(pathOf))('shows an example in the help of %s', async (path) => {
    const { program, output } = await quietProgram();
    await program.parseAsync([...path.split(' '), '--help'], { from: 'user' }).catch(() => undefined);
    expect(output()).toMatch(new RegExp(`Examples:\n {2}\\$ willcall ${path}`));
  });

  it.each(leaves.flatMap((command) => examplesOf(command).map((example) => [pathOf(command), example] as const)))(
    'takes the example of %s: %s',
    async (path, example) => {
      const { program, runs } = await quietProgram();
      await program.parseAsync(words(example), { from: 'user' });
      expect(runs.map((run) => run.path)).toEqual([path.split(' ').at(-1)]);
    },
  );

  it.each(commands.filter(({ parent }) => !parent?.parent).map((command) => command.name()))(
    'loads %s alone where it is named',
    async (name) => {
      const program = await willcallProgram([name, '--help']);
      expect(program.commands.map((command) => command.name())).toEqual([name]);
    },
  );

  it('gives an option to the command that it stands behind', async () => {
    const { program, runs } = await quietProgram();
    await program.parseAsync(words('reconcile payments --provider stripe --json'), { from: 'user' });
    expect(runs[0]?.args[0]).toEqual({ provider: 'stripe', json: true });
  });

  it('prints the version of the package', async () => {
    const { program, output } = await quietProgram();
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(exitCodeOf(await program.parseAsync(['--version'], { from: 'user' }).catch((error: unknown) => error))).toBe(
      0,
    );
    expect(output()).toBe(`${version}\n`);
  });

  it.each([
    ['an unknown command', ['fly']],
    ['an unknown option', ['verify', '--fast']],
    ['a missing argument', ['clients', 'revoke']],
    ['a value that is no choice', ['clients', 'add', 'x', '--variant', 'other']],
  ])('ends with 2 for %s', async (_, args) => {
    expect(exitCodeOf(await failure(...args))).toBe(2);
  });
});

describe('the exit code', () => {
  it.each([
    [new UserError('refused'), 1],
    [new UsageError('wrong'), 2],
    [new Unreachable('away'), 3],
    [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 3],
    [Object.assign(new Error('the database system is starting up'), { code: '57P03' }), 3],
    [new Error('Connection terminated unexpectedly'), 3],
    [Object.assign(new Error('duplicate key'), { code: '23505' }), 1],
    [new Error('a bug'), 1],
  ])('of %s is %i', (error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});
