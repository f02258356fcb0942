import { readFileSync } from 'node:fs';

// A guest whose processors were given to other machines for a part of a round has measured those machines.
const MOST_STOLEN = 0.02;
const ROUNDS = 3;

export type Round = Readonly<{
  latencies: readonly number[];
  /** The share of the processors' time that the host gave to other machines, from 0 to 1. */
  stolen: number;
}>;

/** Measures until in one round at most 2 % of the processors' time was stolen, at most three rounds. Returns the round with the least. */
export async function quietRound(measure: () => Promise<readonly number[]>): Promise<Round> {
  let quietest: Round | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = processorTime();
    const latencies = await measure();
    const after = processorTime();
    const stolen = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
    if (!quietest || stolen < quietest.stolen) quietest = { latencies, stolen };
    if (quietest.stolen <= MOST_STOLEN) break;
  }
  return quietest!;
}

/** In ticks; proc_stat(5). All zeros on systems that have no such file. */
function processorTime(): { all: number; stolen: number } {
  const [, ...ticks] = firstLineOf('/proc/stat').split(/\s+/).map(Number);
  // Guests' time, the two columns after `steal`, is part of the others.
  return { all: ticks.slice(0, 8).reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 };
}

function firstLineOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n')[0] ?? '';
  } catch {
    return '';
  }
}

/** `, 3 % stolen`, for the detail of a figure. */
export function stolenIn({ stolen }: Round): string {
  return stolen < 0.005 ? '' : `, ${Math.round(stolen * 100)} % stolen`;
}
