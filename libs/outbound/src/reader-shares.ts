import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import type { StreamOwner } from '#accounts/caller';
import { HttpError } from '#web/http-error';

const RETRY_AFTER_SECONDS = '5';

/** Limits the readers of one person or token, so that nobody can take the places of all. */
@Injectable()
export class ReaderShares {
  readonly #readers = new Map<string, number>();

  constructor(
    @Inject(Settings) private readonly settings: Pick<Settings, 'STREAM_MAX_READERS' | 'STREAM_MAX_READERS_PER_TOKEN'>,
  ) {}

  /**
   * Counts a live reader or a waiting request until its response closes. Throws 503 if the person has its share.
   * @param places the readers of pings and those of orders have places of their own
   */
  take(owner: StreamOwner | undefined, response: ServerResponse, places: 'pings' | 'orders' = 'pings'): void {
    if (!owner || response.destroyed) return;
    const id = `${places} ${owner.person ?? owner.id}`;
    const count = this.#readers.get(id) ?? 0;
    if (count >= this.#share()) {
      throw HttpError.with(50300, 'too many readers of this person or token', { 'retry-after': RETRY_AFTER_SECONDS });
    }
    this.#readers.set(id, count + 1);
    response.once('close', () => {
      const left = (this.#readers.get(id) ?? 1) - 1;
      if (left > 0) this.#readers.set(id, left);
      else this.#readers.delete(id);
    });
  }

  /** Whoever lowers only the places of all must not leave them to one. */
  #share(): number {
    const { STREAM_MAX_READERS: places, STREAM_MAX_READERS_PER_TOKEN: most } = this.settings;
    return Math.min(most, Math.max(1, Math.floor(places / 4)));
  }
}
