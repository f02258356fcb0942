type TraceEvent = Readonly<{
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** µs; `tdur` is processor time. */
  dur?: number;
  tdur?: number;
  args?: Readonly<{ name?: string }>;
}>;

export type LongestTask = Readonly<{
  longestMs: number;
  /** Processor time of the task that needs most of it; on a busy machine often another one. */
  mostCpuMs: number;
  tasks: number;
}>;

/** The longest task of the page's main thread in a trace of Chromium: the renderer that worked most is that of the page. */
export function longestTask(trace: Buffer): LongestTask {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mainThreads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const byThread = mainThreads.map(({ pid, tid }) =>
    traceEvents.filter((event) => event.pid === pid && event.tid === tid && isTask(event)),
  );
  const work = (tasks: readonly TraceEvent[]) => tasks.reduce((sum, { dur = 0 }) => sum + dur, 0);
  const [tasks] = byThread.sort((one, other) => work(other) - work(one));
  if (!tasks || tasks.length === 0) throw new Error('the trace has no task of a page');
  const most = (times: readonly number[]) => times.reduce((one, other) => Math.max(one, other), 0) / 1_000;
  return {
    longestMs: most(tasks.map(({ dur = 0 }) => dur)),
    mostCpuMs: most(tasks.map(({ tdur = 0 }) => tdur)),
    tasks: tasks.length,
  };
}

function isTask({ name, ph }: TraceEvent): boolean {
  return ph === 'X' && (name === 'RunTask' || name === 'ThreadControllerImpl::RunTask');
}
