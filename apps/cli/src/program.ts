import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { parseJson } from '#base/json';
import { addExamples } from './examples.js';

/** The commands by name, in the order of the help. Each is loaded on demand: loading all of them takes a second. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['start', async () => (await import('./start.js')).startCommand()],
  ['migrate', async () => (await import('./migrate.js')).migrateCommand()],
  ['info', async () => (await import('./info.js')).infoCommand()],
  ['doctor', async () => (await import('./doctor.js')).doctorCommand()],
  ['operators', async () => (await import('./operators.js')).operatorsCommand()],
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
  ['maintenance', async () => (await import('./maintenance.js')).maintenanceCommand()],
  ['archive', async () => (await import('./archive.js')).archiveCommand()],
  ['epoch', async () => (await import('./epoch.js')).epochCommand()],
  ['reconcile', async () => (await import('./reconcile.js')).reconcileCommand()],
  ['encryption-key', async () => (await import('./rotate-key.js')).encryptionKeyCommand()],
  ['verify', async () => (await import('./verify.js')).verifyCommand()],
  ['backup', async () => (await import('./backup.js')).backupCommand()],
  ['restore', async () => (await import('./restore.js')).restoreCommand()],
]);

/**
 * `willcall` with all commands, or with only the one that the first argument names.
 * @throws CommanderError for a wrong command line, after commander has printed what is wrong.
 */
export async function willcallProgram(args: readonly string[] = []): Promise<Command> {
  const program = new Command('willcall')
    .description('Runs and administers Willcall. Settings come from the environment and from .env (see .env.example).')
    .version(packageVersion(), '--version', 'print the version')
    // An option belongs to the command before it: a group and a command in it may have one of the same name.
    .enablePositionalOptions()
    .addHelpText('after', '\nExit codes: 0 fine, 1 problem found or refused, 2 wrong command line, 3 no answer.');
  const named = COMMANDS.get(args[0] ?? '');
  const wanted = named ? [named] : args[0] === '--version' ? [] : [...COMMANDS.values()];
  for (const command of await Promise.all(wanted.map((load) => load()))) program.addCommand(command);
  for (const command of allCommands(program)) command.exitOverride();
  addExamples(program);
  return program;
}

/** A command and all its subcommands. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** The version in package.json. Sources and build lie at different depths below it. */
function packageVersion(): string {
  let file = new URL('package.json', import.meta.url);
  while (!existsSync(file)) file = new URL('../package.json', file);
  return (parseJson(readFileSync(file, 'utf8')) as { version: string }).version;
}
