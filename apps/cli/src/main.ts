#!/usr/bin/env node
import { Command } from 'commander';
import { clientsCommand } from './clients.js';
import { deliveryCommand } from './delivery.js';
import { catalogueCommand } from './import-catalogue.js';
import { listingsCommand } from './import-listings.js';
import { migrateCommand } from './migrate.js';
import { platformCommand } from './platform.js';
import { projectionsCommand } from './projections.js';
import { replayCommand } from './replay.js';
import { startCommand } from './start.js';
import { streamTokensCommand } from './stream-tokens.js';
import { explain } from './user-fault.js';
import { verifyCommand } from './verify.js';
import { webhooksCommand } from './webhooks.js';

const program = new Command('willcall')
  .description('Runs and looks after Willcall. Settings come from the environment and from .env (see .env.example).')
  .addCommand(startCommand())
  .addCommand(migrateCommand())
  .addCommand(clientsCommand())
  .addCommand(streamTokensCommand())
  .addCommand(webhooksCommand())
  .addCommand(listingsCommand())
  .addCommand(catalogueCommand())
  .addCommand(platformCommand())
  .addCommand(deliveryCommand())
  .addCommand(replayCommand())
  .addCommand(projectionsCommand())
  .addCommand(verifyCommand());

try {
  await program.parseAsync();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
