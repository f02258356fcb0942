import { setTimeout as sleep } from 'node:timers/promises';
import { type LivePing, LivePings } from './live-pings.js';

/** An integration that follows the live stream. After each interruption it resumes at the next address. */
export class FollowingReader {
  readonly pings: LivePing[] = [];
  /** How often an open stream has ended. */
  cuts = 0;
  #stopped = false;
  readonly #following: Promise<void>;

  constructor(urls: readonly string[], query = '') {
    this.#following = this.#follow(urls, query);
  }

  get positions(): number[] {
    return this.pings.map(({ position }) => position);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#following;
  }

  async #follow(urls: readonly string[], query: string): Promise<void> {
    for (let next = 0; !this.#stopped; next += 1) {
      const lastEventId = this.pings.at(-1)?.eventId ?? 0;
      const url = urls[next % urls.length] ?? '';
      const stream = await LivePings.open(url, { lastEventId, query }).catch(() => undefined);
      while (stream?.response.ok && !stream.over && !this.#stopped) {
        this.pings.push(...stream.pings.splice(0));
        await sleep(20);
      }
      if (stream?.over) this.cuts += 1;
      this.pings.push(...(stream?.pings.splice(0) ?? []));
      stream?.close();
      // Its servers may be away.
      await sleep(50);
    }
  }
}
