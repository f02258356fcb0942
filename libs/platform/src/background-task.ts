import type { Abstract, Type } from '@nestjs/common';
import type { Settings } from '#base/settings';

/** Finds a provider of the process, e.g. `get(PingSweep)`. */
type Get = <T>(type: Type<T> | Abstract<T>) => T;

export type RunOutcome = 'succeeded' | 'failed';

export type TaskContext = Readonly<{
  get: Get;
  settings: Settings;
  /** `job` is the id of the job that failed. */
  onError(error: unknown, job?: string): void;
  /** Does one run and counts it with its duration. Throws what `run` throws. */
  timed(run: () => Promise<void>): Promise<void>;
  /** Counts a run without a duration. */
  ran(outcome: RunOutcome): void;
  /** Wakes the tasks whose `wokenBy` names this one. */
  wakeFollowers(): void;
}>;

export interface OpenTask {
  start(): void;
  /** Finishes the current work, for at most `graceMs` if it can take long. */
  stop(graceMs: number): Promise<void>;
  /** Called at shutdown after the last response, before the connections are closed. Must not throw. */
  finish?(): Promise<void>;
  /** A hint that there is work now. */
  wake?(): void;
  /** Counts finished runs, failed ones too. */
  readonly iterations?: number;
}

/** One row of the table of background tasks, which `docs/background-tasks.md` shows and the runner runs. */
export type BackgroundTask = Readonly<{
  /** Unique. The label `task` of the metrics and the context of the log. */
  name: string;
  does: string;
  /** How an operator sees it, in addition to the metrics of all tasks. */
  seen: string;
  /** When it runs, in words. */
  schedule: string;
  /** How many run at once, in words. */
  concurrency: string;
  /** The name of a task that wakes it. */
  wokenBy?: string;
  queue?: string;
  /** Without a condition it always runs. */
  onlyIf?: TaskCondition;
  /** For a task that delivery depends on: `/health/live` fails if no run ends within a minute plus this pause, in milliseconds. */
  livenessPause?: (settings: Settings) => number;
  open(context: TaskContext): OpenTask;
}>;

/** The tasks of a program by the role that needs them: a word of TASKS or SURFACES. Every process of the program runs those of `always`. */
export type TasksByRole<Role extends string> = Readonly<{
  always: readonly BackgroundTask[];
  of: Readonly<Record<Role, readonly BackgroundTask[]>>;
}>;

/** The tasks of a process with these roles, each once. */
export function tasksOf<Role extends string>(
  { always, of }: TasksByRole<Role>,
  roles: readonly Role[],
): readonly BackgroundTask[] {
  return [...new Set([...always, ...roles.flatMap((role) => of[role])])];
}

/** All tasks of a program, each once. */
export function allTasks<Role extends string>({ always, of }: TasksByRole<Role>): readonly BackgroundTask[] {
  return [...new Set([...always, ...Object.values<readonly BackgroundTask[]>(of).flat()])];
}

export type TaskCondition = Readonly<{ is: string; holds: (settings: Settings) => boolean }>;

export type TaskText = Pick<BackgroundTask, 'name' | 'does' | 'seen' | 'wokenBy' | 'onlyIf'>;

type NumericSetting = NonNullable<
  { [Name in keyof Settings]: Settings[Name] extends number ? Name : never }[keyof Settings]
>;

/** A fixed number, or the name of the setting that has it. */
export type NumberOrSetting = number | NumericSetting;

export function valueOf(number: NumberOrSetting, settings: Settings): number {
  return typeof number === 'number' ? number : settings[number];
}

/** `10` or `` `PING_CONCURRENCY` ``. */
export function textOf(number: NumberOrSetting): string {
  return typeof number === 'number' ? number.toLocaleString('en-US') : `\`${number}\``;
}

/** Returns what is wrong with the table. Names must be unique, and every task that wakes another must exist. */
export function tableErrors(tasks: readonly BackgroundTask[]): string[] {
  const names = tasks.map(({ name }) => name);
  return [
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => `two tasks are named "${name}"`),
    ...tasks
      .filter(({ wokenBy }) => wokenBy !== undefined && !names.includes(wokenBy))
      .map(({ name, wokenBy }) => `"${name}" is woken by "${wokenBy}", which is not in the table`),
  ];
}
