import type { Clock } from '#base/clock';
import type { SignedHead } from './signed-heads.js';

/** A place that whoever owns the database cannot write to. */
export type AnchorTarget = Readonly<{
  /** Its kind, a label of metrics. */
  place: 'file' | 'webhook' | 'bucket';
  /** Resolves when the place has it. */
  append(anchor: SignedHead): Promise<void>;
}>;

type Options = Readonly<{
  clock: Clock;
  /** Must not throw. */
  onError: (error: unknown) => void;
  /** Called after `onError`, with the kind of the place. */
  onFailure?: (place: AnchorTarget['place']) => void;
}>;

const EVERY_MS = 60_000;

/** Writes the newest head to one place, once a minute. A place that is slow or fails delays neither the chain nor other places. */
export class Anchoring {
  #written: SignedHead | undefined;
  #writing: Promise<void> | undefined;
  #nextMs = -Infinity;

  constructor(
    private readonly target: AnchorTarget,
    private readonly options: Options,
  ) {}

  /** The last head that the place has. */
  get written(): SignedHead | undefined {
    return this.#written;
  }

  /** Returns at once. After a failure it is tried again with the head of the next minute. */
  offer(head: SignedHead): void {
    const now = this.options.clock.monotonic();
    if (this.#writing || head === this.#written || now < this.#nextMs) return;
    this.#nextMs = now + EVERY_MS;
    this.#writing = this.#write(head).finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes the last head of this process, after a write that is under way. */
  async finish(head: SignedHead): Promise<void> {
    await this.#writing;
    if (head !== this.#written) await this.#write(head);
  }

  async #write(head: SignedHead): Promise<void> {
    try {
      await this.target.append(head);
      this.#written = head;
    } catch (error) {
      this.options.onError(error);
      this.options.onFailure?.(this.target.place);
    }
  }
}
