/** One result of the bench. A ratio is relative to a limit that was measured in the same run. */
export type Figure = Readonly<{
  name: string;
  value: number;
  unit: 'of the limit' | 'times' | 'a second' | 'ms' | 'MB' | 'bytes' | 'round trips' | 'µs' | 'of the guesses';
  /** Without a target, the figure is only reported. */
  target?: Readonly<{ atLeast: number }> | Readonly<{ atMost: number }>;
  /** How the value was measured. */
  detail: string;
}>;

/** `quick` only shows that the bench works; its figures mean little. `lines`: of `reconciliation`. */
export type RunOptions = Readonly<{ quick: boolean; lines?: number; say: (line: string) => void }>;

export type Measurement = Readonly<{
  name: string;
  about: string;
  run(options: RunOptions): Promise<readonly Figure[]>;
}>;

export function meetsTarget({ value, target }: Figure): boolean | undefined {
  if (!target) return undefined;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}
