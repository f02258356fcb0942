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
 * exists, and only what does not exist is sent under the next key. That one follows from the failure which Stripe kept, so that two callers at
 * once have the same one. A key is left only once it is certain that nothing can be done under it any more: another caller may be sending it.
 * @throws StripeFault if Stripe refuses the step, or does not say what became of it
 */
export async function underKey<T>(clock: Clock, { key, act, look, isPassing = () => false }: Step<T>): Promise<T> {
  for (let current = key, repeated = false; ;) {
    try {
      return await act(current);
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error;
      const passes = isPassing(error);
      if (error.isRefusal && !passes) throw error;
      const known = await look();
      if (known !== undefined) return known;
      const next = passes ? `${key}-${minuteOf(clock)}` : nextKey(key, error);
      if (next === undefined ? repeated || !error.isKept : next === current) throw error;
      // Whether Stripe keeps a failure is known once it repeats it.
      if (next === undefined) repeated = true;
      else current = next;
    }
  }
}

/** Undefined while the failure may have been of that moment. */
function nextKey(key: string, { isKeyUsed, clues }: StripeFault): string | undefined {
  if (isKeyUsed) return `${key}-again`;
  return clues.replayOf === undefined ? undefined : `${key}-${clues.replayOf}`;
}

/** A refusal that passes did nothing, and need not be repeated for a whole day. */
const minuteOf = (clock: Clock): number => Math.floor(clock.now() / NEXT_KEY_EVERY_MS);
