import { setImmediate as untilOthersHadTheirTurn } from 'node:timers/promises';

// A purchase passes through the event loop some four times.
const SLICE_MS = 4;

/** Called every now and then by work that takes long; resolves when it may go on. */
export type Pause = () => Promise<void>;

/**
 * Lets work that takes long be done in slices, between which the process does everything else. One at a time: many would take many
 * slices in a row.
 */
export class TimeSlicer {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: (pause: Pause) => Promise<T>): Promise<T> {
    const result = this.last.then(() => work(pauseWhenDue()));
    this.last = result.catch(() => undefined);
    return result;
  }
}

function pauseWhenDue(): Pause {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await untilOthersHadTheirTurn();
    began = performance.now();
  };
}
