import type { Clock } from '#base/clock';
import { StripeFault } from './stripe-fault.js';

const NEXT_KEY_EVERY_MS = 60_000;

type Step<T> = Readonly<{
  key: string;
  act: (key: string) => Promise<T>;
  /** What the step has come to by Stripe's book. Undefined if nothing of it is there. */
  look: () => Promise<T | undefined>;
  /** Refusals that another time may not bring again. */
  isPassing?: (fault: StripeFault) => boolean;
}>;

/**
 * Does a step under its key. Stripe keeps failures under a key too, for a day, and then repeats them. So after a failure it is asked what
 * exists, and only what does not exist is sent under the next key. That changes each minute, so that two callers at once have the same one. The
 * first key is left only once it is certain that nothing can be done under it any more: another caller may be sending it.
 * @throws StripeFault if Stripe refuses the step, or does not say what became of it
 */
export async function underKey<T>(clock: Clock, { key, act, look, isPassing = () => false }: Step<T>): Promise<T> {
  for (let current = key, tries = 1; ; tries += 1) {
    try {
      return await act(current);
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error;
      const passes = isPassing(error);
      if (error.isRefusal && !passes) throw error;
      const known = await look();
      if (known !== undefined) return known;
      if (current !== key || !(passes || error.isKept)) throw error;
      // A failure that is not a repeated one may have been of that moment.
      if (passes || error.clues.isReplay || error.isKeyUsed) current = nextKey(key, clock);
      else if (tries > 1) throw error;
    }
  }
}

const nextKey = (key: string, clock: Clock): string => `${key}-${Math.floor(clock.now() / NEXT_KEY_EVERY_MS)}`;
