import type { Settings } from '#base/settings';
import type { BackgroundTask } from '#platform/background-task';

/** Starts tasks without a process around them. `handlers` has an instance of each class that they ask for. */
export function startTasks(tasks: readonly BackgroundTask[], settings: Settings, handlers: readonly object[]) {
  const opened = tasks.map((task) =>
    task.open({
      get: (type) => {
        const found = handlers.find((handler) => handler instanceof type);
        if (!found) throw new Error(`${type.name} is not among the handlers`);
        return found as never;
      },
      settings,
      onError: () => undefined,
      timed: (run) => run(),
      ran: () => undefined,
      wakeFollowers: () => undefined,
    }),
  );
  for (const task of opened) task.start();
  return { stop: () => Promise.all(opened.map((task) => task.stop(5_000))) };
}
