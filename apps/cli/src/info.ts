import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { SystemClock } from '#base/clock';
import { loadSettings } from '#base/load-settings';
import { lastAddresses } from './addresses.js';
import { changeSettings } from './supervisor/change-settings.js';
import { keyFileOf, secretsFile, withSavedCredentials } from './supervisor/credentials.js';
import { isServing } from './supervisor/readiness.js';
import { UserError } from './terminal/user-error.js';
import { welcomeText } from './welcome.js';
import { embeddedDirectory } from './database/with-database.js';

/** `info`: prints the welcome text of `start` again, whether Willcall runs or not. */
export function infoCommand(): Command {
  return new Command('info')
    .description('prints the addresses and credentials of this installation again')
    .action(async () => {
      const given = loadSettings();
      const isDemo = given.DATABASE_URL === undefined;
      if (isDemo && !existsSync(embeddedDirectory(given))) {
        throw new UserError('This installation has never been started: run `npm start`.');
      }
      const settings = changeSettings(withSavedCredentials(given, isDemo), lastAddresses(given));
      const isRunning = await isServing(settings);
      const headline = isRunning ? 'Willcall is running.' : 'Willcall is not running: `npm start` starts it.';
      // It does not query the database, so it does not repeat the advice on missing clients and keys.
      const callers = { clients: true, paymentClients: true, discoveryKeys: true, operators: true };
      const clock = new SystemClock();
      const keyFile = keyFileOf(given);
      const { platform } = process;
      console.log(welcomeText({ settings, given, isDemo, callers, clock, platform, headline, keyFile }));
      console.log(
        isDemo
          ? `The credentials are kept in ${secretsFile(given)}.`
          : `${keyFile === undefined ? 'The' : 'All other'} credentials are in the environment of the services.`,
      );
    });
}
