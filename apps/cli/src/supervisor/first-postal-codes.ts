import type { Settings } from '#base/settings';
import { postalCodesAreLoaded } from '../database/postal-codes.js';
import { programFile } from './program-file.js';
import { spawnService } from './service.js';

/**
 * Loads postal codes on the first start in a separate process, because they would take 90 MB of the supervisor's memory for good.
 * If it fails, the api loads them when it first needs a place.
 */
export async function loadFirstPostalCodes(databaseUrl: string, settings: Settings, stop: AbortSignal): Promise<void> {
  if ((await postalCodesAreLoaded(databaseUrl)) || stop.aborted) return;
  const loading = spawnService({ name: 'postal codes', entry: programFile('first-postal-codes') }, settings);
  const stopLoading = () => void loading.stop();
  stop.addEventListener('abort', stopLoading);
  await loading.ended;
  stop.removeEventListener('abort', stopLoading);
}
