import type { Abstract, Type } from '@nestjs/common';
import { Repeater } from '#base/repeater';
import { type BackgroundTask, type NumberOrSetting, type TaskText, textOf, valueOf } from './background-task.js';

type RepeatedTask<T> = TaskText &
  Readonly<{
    /** The pause between the end of a run and the start of the next, in milliseconds. */
    everyMs: NumberOrSetting;
    /** A longer pause, after a run that did not return true. The task that `wokenBy` names makes it the usual one. */
    idleMs?: number;
    /** The first run comes sooner. A process that is restarted more often would never do the work. */
    firstAfterMs?: number;
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
  const { everyMs, idleMs, firstAfterMs, handler, run, wakeOn, onceMoreAtEnd = false, vital, ...text } = task;
  return {
    ...text,
    schedule: scheduleOf(task),
    concurrency: 'one run in each process',
    ...(vital && { livenessPause: (settings) => idleMs ?? valueOf(everyMs, settings) }),
    open({ get, settings, onError, timed }) {
      const handling = get(handler);
      const once = async () => {
        let result: unknown;
        await timed(async () => void (result = await run(handling)));
        return result === true;
      };
      const repeater = new Repeater(once, { everyMs: valueOf(everyMs, settings), idleMs, firstAfterMs }, onError);
      wakeOn?.(handling, () => repeater.wake());
      return {
        start: () => repeater.start(),
        stop: () => repeater.stop(),
        wake: () => repeater.nudge(),
        ...(onceMoreAtEnd && { finish: () => once().then(() => undefined, onError) }),
        get iterations() {
          return repeater.iterations;
        },
      };
    },
  };
}

function scheduleOf({
  everyMs,
  idleMs,
  firstAfterMs,
}: Pick<RepeatedTask<never>, 'everyMs' | 'idleMs' | 'firstAfterMs'>): string {
  const usual = typeof everyMs === 'number' ? `every ${textOf(everyMs)} ms` : `every ${textOf(everyMs)}`;
  if (firstAfterMs !== undefined) return `${textOf(firstAfterMs)} ms after the start, then ${usual}`;
  return idleMs === undefined ? usual : `${usual}, or ${textOf(idleMs)} ms while there is nothing to do`;
}
