import { setImmediate as untilOthersHadTheirTurn } from 'node:timers/promises';

// A purchase passes through the event loop some four times.
const SLICE_MS = 4;

/** Called every now and then by work that takes long; resolves when it may go on. */
export type Rest = () => Promise<void>;

/**
 * Lets work that takes long be done in slices, between which the process does everything else. One at a time: many would take many
 * slices in a row.
 */
export class Slices {
  private last: Promise<unknown> = Promise.resolve();

  inTurn<T>(work: (rest: Rest) => Promise<T>): Promise<T> {
    const result = this.last.then(() => work(restful()));
    this.last = result.catch(() => undefined);
    return result;
  }
}

function restful(): Rest {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await untilOthersHadTheirTurn();
    began = performance.now();
  };
}
