import { setImmediate as untilOthersHadTheirTurn } from 'node:timers/promises';

// A purchase passes through the event loop about four times, and may wait for a slice each time.
const SLICE_MS = 4;

/** Long work awaits this often; it resolves when the work may continue. */
export type Pause = () => Promise<void>;

/** Lets the event loop do other work between slices. One piece of work runs at a time: several would put many slices in a row. */
export class TimeSlicer {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: (pause: Pause) => Promise<T>): Promise<T> {
    const result = this.last.then(() => work(pauseWhenDue()));
    this.last = result.catch(() => undefined);
    return result;
  }
}

function pauseWhenDue(): Pause {
  let sliceStart = performance.now();
  return async () => {
    if (performance.now() - sliceStart < SLICE_MS) return;
    await untilOthersHadTheirTurn();
    sliceStart = performance.now();
  };
}
