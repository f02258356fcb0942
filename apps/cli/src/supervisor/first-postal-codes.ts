import { fileURLToPath } from 'node:url';
import type { Settings } from '#config/settings';
import { postalCodesAreLoaded } from '../postal-codes.js';
import { spawnService } from './service.js';

const entry = fileURLToPath(new URL('first-postal-codes.process.js', import.meta.url));

/**
 * Loads postal codes on the first start, in a process that ends: the supervisor would hold 90 MB for them as long as it runs.
 * Where that fails, the api does it at the first question for a place.
 */
export async function loadFirstPostalCodes(databaseUrl: string, settings: Settings, stop: AbortSignal): Promise<void> {
  if ((await postalCodesAreLoaded(databaseUrl)) || stop.aborted) return;
  const loading = spawnService({ name: 'postal codes', entry }, settings);
  const give = () => void loading.stop();
  stop.addEventListener('abort', give);
  await loading.ended;
  stop.removeEventListener('abort', give);
}
