import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { SystemClock } from '#ambient/clock';
import { loadSettings, type Settings } from '#config/settings';
import { changeSettings } from './supervisor/change-settings.js';
import { secretsFile, withKnownCredentials } from './supervisor/credentials.js';
import { isServing } from './supervisor/readiness.js';
import { UserFault } from './user-fault.js';
import { welcomeText } from './welcome.js';
import { embeddedDirectory } from './with-database.js';

const ADDRESSES = ['PUBLIC_URL', 'HOST', 'PORT', 'WORKER_HOST', 'WORKER_PORT'] as const;
type Addresses = Partial<Record<(typeof ADDRESSES)[number], string>>;

const addressesFile = (settings: Settings) => join(settings.DATA_DIR, 'addresses.json');

/** Keeps where this start listens, for `info`: ports may have been left to us. Where it cannot be kept, `info` knows less. */
export function keepAddresses(settings: Settings): void {
  const addresses: Addresses = Object.fromEntries(ADDRESSES.map((name) => [name, String(settings[name])]));
  try {
    writeFileSync(addressesFile(settings), `${JSON.stringify(addresses, null, 2)}\n`);
  } catch {
    // A DATA_DIR that is not needed, with a server of DATABASE_URL, may not exist.
  }
}

/** `info`: the welcome of `start` again, whether it runs or not. */
export function infoCommand(): Command {
  return new Command('info')
    .description('prints the addresses and credentials of this installation again, as its start did')
    .action(async () => {
      const given = loadSettings();
      const isDemo = given.DATABASE_URL === undefined;
      if (isDemo && !existsSync(embeddedDirectory(given))) {
        throw new UserFault('This installation has never been started: run `npm start`.');
      }
      const settings = changeSettings(withKnownCredentials(given, isDemo), lastAddresses(given));
      const isRunning = await isServing(settings);
      const headline = isRunning ? 'Willcall is running.' : 'Willcall is not running: `npm start` starts it.';
      // It asks no database: what `start` said of missing clients and keys is not repeated.
      const callers = { clients: true, discoveryKeys: true };
      const clock = new SystemClock();
      console.log(welcomeText({ settings, isDemo, callers, clock, platform: process.platform, headline }));
      console.log(
        isDemo
          ? `The credentials are kept in ${secretsFile(given)}.`
          : 'The credentials are in the environment of the services.',
      );
    });
}

function lastAddresses(settings: Settings): Addresses {
  const file = addressesFile(settings);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Addresses;
  } catch {
    return {};
  }
}
