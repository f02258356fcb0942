import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '#base/settings';
import { databaseLocation } from '#base/database-address';
import { parseJson } from '#base/json';

const ADDRESSES = ['PUBLIC_URL', 'HOST', 'PORT', 'WORKER_HOST', 'WORKER_PORT'] as const;
type Addresses = Partial<Record<(typeof ADDRESSES)[number], string>>;

/** One DATA_DIR may serve the demo and installations with servers of their own. Commands must not call one for another. */
function addressesFile({ DATA_DIR, DATABASE_URL }: Settings): string {
  if (DATABASE_URL === undefined) return join(DATA_DIR, 'addresses.json');
  return join(DATA_DIR, `addresses-${encodeURIComponent(databaseLocation(DATABASE_URL))}.json`);
}

/**
 * Saves where this start listens, for other commands, because the ports may have been chosen at random. A failure to save only
 * hides them.
 * @param given says which installation it is: those of the services always name a database
 */
export function saveAddresses(given: Settings, settings: Settings): void {
  const addresses: Addresses = Object.fromEntries(ADDRESSES.map((name) => [name, String(settings[name])]));
  try {
    writeFileSync(addressesFile(given), `${JSON.stringify(addresses, null, 2)}\n`);
  } catch {
    // With DATABASE_URL set, DATA_DIR may not exist.
  }
}

/** Where the last start of this installation listened; empty if unknown. */
export function lastAddresses(given: Settings): Addresses {
  const file = addressesFile(given);
  if (!existsSync(file)) return {};
  try {
    return parseJson(readFileSync(file, 'utf8')) as Addresses;
  } catch {
    return {};
  }
}
