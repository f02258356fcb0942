/** One number of the bench. A ratio is to a limit that was measured in the same run. */
export type Figure = Readonly<{
  name: string;
  value: number;
  unit: 'of the limit' | 'times' | 'a second' | 'ms' | 'MB' | 'bytes' | 'round trips' | 'µs';
  /** What issue 2 asks for; without one the figure is reported only. */
  target?: Readonly<{ atLeast: number }> | Readonly<{ atMost: number }>;
  /** What the value was made of. */
  detail: string;
}>;

/** `quick` is for trying the bench out: its numbers say little. */
export type Effort = Readonly<{ quick: boolean; say: (line: string) => void }>;

export type Measurement = Readonly<{ name: string; about: string; run(effort: Effort): Promise<readonly Figure[]> }>;

export function isMet({ value, target }: Figure): boolean | undefined {
  if (!target) return undefined;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}
