import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { backupCommand } from './backup.js';
import { clientsCommand } from './clients.js';
import { deliveryCommand } from './delivery.js';
import { doctorCommand } from './doctor.js';
import { epochCommand } from './epoch.js';
import { addExamples } from './examples.js';
import { catalogueCommand } from './import-catalogue.js';
import { infoCommand } from './info.js';
import { listingsCommand } from './listings.js';
import { listenCommand } from './listen.js';
import { migrateCommand } from './migrate.js';
import { ordersCommand } from './orders.js';
import { platformCommand } from './platform.js';
import { projectionsCommand } from './projections.js';
import { reconcileCommand } from './reconcile.js';
import { replayCommand } from './replay.js';
import { restoreCommand } from './restore.js';
import { startCommand } from './start.js';
import { streamTokensCommand } from './stream-tokens.js';
import { triggerCommand } from './trigger.js';
import { verifyCommand } from './verify.js';
import { webhooksCommand } from './webhooks.js';

/** All commands of `willcall`. A wrong command line is thrown as a CommanderError after commander has said what is wrong. */
export function willcallProgram(): Command {
  const program = new Command('willcall')
    .description('Runs and looks after Willcall. Settings come from the environment and from .env (see .env.example).')
    .version(packageVersion(), '--version', 'print the version')
    .addHelpText('after', '\nExit codes: 0 fine, 1 problem found or refused, 2 wrong command line, 3 no answer.')
    .addCommand(startCommand())
    .addCommand(migrateCommand())
    .addCommand(infoCommand())
    .addCommand(doctorCommand())
    .addCommand(clientsCommand())
    .addCommand(streamTokensCommand())
    .addCommand(webhooksCommand())
    .addCommand(listenCommand())
    .addCommand(triggerCommand())
    .addCommand(ordersCommand())
    .addCommand(listingsCommand())
    .addCommand(catalogueCommand())
    .addCommand(platformCommand())
    .addCommand(deliveryCommand())
    .addCommand(replayCommand())
    .addCommand(projectionsCommand())
    .addCommand(epochCommand())
    .addCommand(reconcileCommand())
    .addCommand(verifyCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand());
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
