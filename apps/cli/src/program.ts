import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addExamples } from './examples.js';

/**
 * The commands by name, in the order of the help. Each is loaded only when it is wanted: the libraries of all of them together take
 * a second to load.
 */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['start', async () => (await import('./start.js')).startCommand()],
  ['migrate', async () => (await import('./migrate.js')).migrateCommand()],
  ['info', async () => (await import('./info.js')).infoCommand()],
  ['doctor', async () => (await import('./doctor.js')).doctorCommand()],
  ['clients', async () => (await import('./clients.js')).clientsCommand()],
  ['stream-tokens', async () => (await import('./stream-tokens.js')).streamTokensCommand()],
  ['webhooks', async () => (await import('./webhooks.js')).webhooksCommand()],
  ['listen', async () => (await import('./listen.js')).listenCommand()],
  ['trigger', async () => (await import('./trigger.js')).triggerCommand()],
  ['orders', async () => (await import('./orders.js')).ordersCommand()],
  ['listings', async () => (await import('./listings.js')).listingsCommand()],
  ['catalogue', async () => (await import('./import-catalogue.js')).catalogueCommand()],
  ['platform', async () => (await import('./platform.js')).platformCommand()],
  ['delivery', async () => (await import('./delivery.js')).deliveryCommand()],
  ['replay', async () => (await import('./replay.js')).replayCommand()],
  ['projections', async () => (await import('./projections.js')).projectionsCommand()],
  ['epoch', async () => (await import('./epoch.js')).epochCommand()],
  ['reconcile', async () => (await import('./reconcile.js')).reconcileCommand()],
  ['verify', async () => (await import('./verify.js')).verifyCommand()],
  ['backup', async () => (await import('./backup.js')).backupCommand()],
  ['restore', async () => (await import('./restore.js')).restoreCommand()],
]);

/**
 * `willcall` with all of its commands, or with only the one that the first of the arguments names. A wrong command line is thrown as
 * a CommanderError after commander has said what is wrong.
 */
export async function willcallProgram(args: readonly string[] = []): Promise<Command> {
  const program = new Command('willcall')
    .description('Runs and looks after Willcall. Settings come from the environment and from .env (see .env.example).')
    .version(packageVersion(), '--version', 'print the version')
    .addHelpText('after', '\nExit codes: 0 fine, 1 problem found or refused, 2 wrong command line, 3 no answer.');
  const named = COMMANDS.get(args[0] ?? '');
  const wanted = named ? [named] : args[0] === '--version' ? [] : [...COMMANDS.values()];
  for (const command of await Promise.all(wanted.map((load) => load()))) program.addCommand(command);
  for (const command of allCommands(program)) command.exitOverride();
  addExamples(program);
  return program;
}

/** A command and everything below it. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** The version in the package.json of the clone: the sources and their build stand at different depths below it. */
function packageVersion(): string {
  let file = new URL('package.json', import.meta.url);
  while (!existsSync(file)) file = new URL('../package.json', file);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
