import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Settings } from '#config/settings';
import type { StreamOwner } from '#ping-stream/live-readers';
import { HttpError } from '../http/http-error.js';

const RETRY_AFTER_SECONDS = '5';

/** Limits the readers with one token, so that one integration cannot take the places of all. */
@Injectable()
export class ReaderShares {
  readonly #readers = new Map<string, number>();

  constructor(private readonly settings: Settings) {}

  /** Counts a live reader or a waiting request until its response closes. Throws 503 if the token has its share. */
  take(owner: StreamOwner | undefined, response: ServerResponse): void {
    if (!owner || response.destroyed) return;
    const { id } = owner;
    const count = this.#readers.get(id) ?? 0;
    if (count >= this.settings.STREAM_MAX_READERS_PER_TOKEN) {
      throw HttpError.with(50300, 'too many readers with this token', { 'retry-after': RETRY_AFTER_SECONDS });
    }
    this.#readers.set(id, count + 1);
    response.once('close', () => {
      const left = (this.#readers.get(id) ?? 1) - 1;
      if (left > 0) this.#readers.set(id, left);
      else this.#readers.delete(id);
    });
  }
}
