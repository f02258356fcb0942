import { loadSettings } from '#base/load-settings';
import { EventArchive } from '#event-store/event-archive';
import { objectStoreOf } from '#platform/storage.module';

/** Where the settings say that files are. */
export function knownArchive(): EventArchive {
  return new EventArchive(objectStoreOf(loadSettings()));
}
