import type { Type } from '@nestjs/common';
import { Repeater } from '#base/repeater';
import type { BackgroundTask, TaskText } from './background-task.js';

type Stepwise = { step(stop: AbortSignal): Promise<void> };

/** One run in all processes, which ends at its next step when the process stops. */
export function stoppableTask({
  everyMs,
  handler,
  ...text
}: TaskText & Readonly<{ everyMs: number; handler: Type<Stepwise> }>): BackgroundTask {
  return {
    ...text,
    schedule: `every ${everyMs.toLocaleString('en-US')} ms`,
    concurrency: 'one run in all processes',
    open({ get, onError, timed }) {
      const stop = new AbortController();
      const handling = get(handler);
      const repeater = new Repeater(() => timed(() => handling.step(stop.signal)), { everyMs }, onError);
      return {
        start: () => repeater.start(),
        stop: async () => {
          stop.abort();
          await repeater.stop();
        },
        get iterations() {
          return repeater.iterations;
        },
      };
    },
  };
}
