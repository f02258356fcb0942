// Faster than that nobody reads.
const EVERY_MS = 100;
const ERASE_TO_END = '\u001b[K';

/** One line on the terminal that says how far the work is; nothing where the output is no terminal. */
export class ProgressLine {
  #shownAt = -Infinity;

  constructor(private readonly terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr) {}

  show(text: string): void {
    if (!this.terminal.isTTY || performance.now() - this.#shownAt < EVERY_MS) return;
    this.#shownAt = performance.now();
    this.terminal.write(`\r${text}${ERASE_TO_END}`);
  }

  /** Takes the line away, so that what is printed next does not run into it. */
  clear(): void {
    if (this.terminal.isTTY) this.terminal.write(`\r${ERASE_TO_END}`);
    this.#shownAt = -Infinity;
  }
}

/** With thousands set apart, e.g. `1,234`. */
export function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}
