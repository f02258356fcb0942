import type { Abstract, Type } from '@nestjs/common';
import { Repeater } from '#runtime/repeater';
import { type BackgroundTask, type NumberOrSetting, type TaskText, textOf, valueOf } from './background-task.js';

type RepeatedTask<T> = TaskText &
  Readonly<{
    /** The pause between the end of a run and the start of the next, in milliseconds. */
    everyMs: NumberOrSetting;
    handler: Type<T> | Abstract<T>;
    run: (handler: T) => Promise<unknown>;
    /** Lets the handler start a run before the pause is over. */
    wakeOn?: (handler: T, wake: () => void) => void;
    /** Runs once more at shutdown, after the last response. */
    onceMoreAtEnd?: boolean;
    /** Delivery depends on it, so it is part of `/health/live`. */
    vital?: boolean;
  }>;

/** Runs repeatedly in each process, with a pause between two runs. */
export function repeatedTask<T>(task: RepeatedTask<T>): BackgroundTask {
  const { everyMs, handler, run, wakeOn, onceMoreAtEnd = false, vital, ...text } = task;
  return {
    ...text,
    schedule: typeof everyMs === 'number' ? `every ${textOf(everyMs)} ms` : `every ${textOf(everyMs)}`,
    concurrency: 'one run in each process',
    ...(vital && { livenessPause: (settings) => valueOf(everyMs, settings) }),
    open({ get, settings, onError, timed }) {
      const handling = get(handler);
      const once = () => timed(async () => void (await run(handling)));
      const repeater = new Repeater(once, valueOf(everyMs, settings), onError);
      wakeOn?.(handling, () => repeater.wake());
      return {
        start: () => repeater.start(),
        stop: () => repeater.stop(),
        ...(onceMoreAtEnd && { finish: () => once().catch(onError) }),
        get iterations() {
          return repeater.iterations;
        },
      };
    },
  };
}
