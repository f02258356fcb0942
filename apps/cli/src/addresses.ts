import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '#config/settings';

const ADDRESSES = ['PUBLIC_URL', 'HOST', 'PORT', 'WORKER_HOST', 'WORKER_PORT'] as const;
type Addresses = Partial<Record<(typeof ADDRESSES)[number], string>>;

const addressesFile = (settings: Settings) => join(settings.DATA_DIR, 'addresses.json');

/**
 * Saves where this start listens, for other commands, because the ports may have been chosen at random. A failure to save only
 * hides them.
 */
export function saveAddresses(settings: Settings): void {
  const addresses: Addresses = Object.fromEntries(ADDRESSES.map((name) => [name, String(settings[name])]));
  try {
    writeFileSync(addressesFile(settings), `${JSON.stringify(addresses, null, 2)}\n`);
  } catch {
    // With DATABASE_URL set, DATA_DIR may not exist.
  }
}

/** Where the last start listened; empty if unknown. */
export function lastAddresses(settings: Settings): Addresses {
  const file = addressesFile(settings);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Addresses;
  } catch {
    return {};
  }
}
