#!/usr/bin/env node
import { CommanderError } from 'commander';
import { willcallProgram } from './program.js';
import { exitCodeOf, explain } from './user-fault.js';

try {
  await willcallProgram().parseAsync();
} catch (error) {
  // Commander has said what is wrong with the command line.
  if (!(error instanceof CommanderError)) console.error(explain(error));
  process.exitCode = exitCodeOf(error);
}
