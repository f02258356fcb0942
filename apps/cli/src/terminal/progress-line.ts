// Nobody can read faster.
const EVERY_MS = 100;
// For a log, where every line stays.
const PLAIN_EVERY_MS = 5_000;
const ERASE_TO_END = '\u001b[K';

/** A progress line on the terminal. Without a terminal it prints a plain line every five seconds. */
export class ProgressLine {
  #shownAt: number;

  constructor(private readonly terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr) {
    this.#shownAt = terminal.isTTY ? -Infinity : performance.now();
  }

  show(text: string): void {
    const { isTTY } = this.terminal;
    if (performance.now() - this.#shownAt < (isTTY ? EVERY_MS : PLAIN_EVERY_MS)) return;
    this.#shownAt = performance.now();
    this.terminal.write(isTTY ? `\r${text}${ERASE_TO_END}` : `${text}\n`);
  }

  /** Erases the line, so that the next output starts on a clean one. */
  clear(): void {
    if (!this.terminal.isTTY) return;
    this.terminal.write(`\r${ERASE_TO_END}`);
    this.#shownAt = -Infinity;
  }
}

/** With thousands separators, e.g. `1,234`. */
export function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}

// A rate is too uncertain before that.
const STEADY_AFTER_MS = 1_000;

/**
 * The progress after `elapsedMs`, e.g. `1,200 of 4,800 events, 25 %, 1 min 30 s left`. It never exceeds 100 %, although work may
 * have been added since the total was taken.
 */
export function progressOf(done: number, total: number, unit: string, elapsedMs: number): string {
  const share = Math.min(1, done / Math.max(total, 1));
  const left = share > 0 && elapsedMs >= STEADY_AFTER_MS ? `, ${duration((elapsedMs * (1 - share)) / share)} left` : '';
  return `${count(done)} of ${count(Math.max(total, done))} ${unit}, ${Math.floor(share * 100)} %${left}`;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
