import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '#config/settings';

const ADDRESSES = ['PUBLIC_URL', 'HOST', 'PORT', 'WORKER_HOST', 'WORKER_PORT'] as const;
type Addresses = Partial<Record<(typeof ADDRESSES)[number], string>>;

const addressesFile = (settings: Settings) => join(settings.DATA_DIR, 'addresses.json');

/** Keeps where this start listens, for other commands: ports may have been left to us. Where it cannot be kept, they know less. */
export function keepAddresses(settings: Settings): void {
  const addresses: Addresses = Object.fromEntries(ADDRESSES.map((name) => [name, String(settings[name])]));
  try {
    writeFileSync(addressesFile(settings), `${JSON.stringify(addresses, null, 2)}\n`);
  } catch {
    // A DATA_DIR that is not needed, with a server of DATABASE_URL, may not exist.
  }
}

/** Where the last start listened; empty when none was kept. */
export function lastAddresses(settings: Settings): Addresses {
  const file = addressesFile(settings);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Addresses;
  } catch {
    return {};
  }
}
