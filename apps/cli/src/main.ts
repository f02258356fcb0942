#!/usr/bin/env node
import { CommanderError } from 'commander';
import { settingWarnings } from '#base/load-settings';
import { showSourcePositions } from '#platform/source-positions';
import { willcallProgram } from './program.js';
import { escapeConsole } from './terminal/safe-console.js';
import { exitCodeOf, explain } from './terminal/user-error.js';

showSourcePositions();
escapeConsole();
// Awaited by the file that tools/bundle.mjs writes for this program. A bundle cannot await at its top level.
export const ended = run();

async function run(): Promise<void> {
  try {
    const program = await willcallProgram(process.argv.slice(2));
    await program
      .hook('preAction', () => settingWarnings().forEach((warning) => console.error(`Willcall: ${warning}`)))
      .parseAsync();
  } catch (error) {
    // Commander has already printed what is wrong with the command line.
    if (!(error instanceof CommanderError)) console.error(explain(error));
    process.exitCode = exitCodeOf(error);
  }
}
