import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The system clock of a process under test. The monotonic clock stays right, as when a real clock is set. */
export class SettableClock {
  private readonly file: string;

  constructor(
    private readonly folder: string,
    name: string,
  ) {
    this.file = join(folder, `${name}.clock`);
    this.setAhead(0);
  }

  /** The environment that the process needs. */
  get environment(): Record<string, string> {
    const program = join(this.folder, 'settable-clock.mjs');
    writeFileSync(program, PROGRAM);
    return { NODE_OPTIONS: `--import=${program}`, CLOCK_FILE: this.file };
  }

  /** Takes effect within some milliseconds. */
  setAhead(ms: number): void {
    writeFileSync(this.file, `${ms}`);
  }
}

const PROGRAM = `
import { readFileSync } from 'node:fs';
const SystemDate = Date;
const rightNow = SystemDate.now.bind(SystemDate);
const read = () => Number(readFileSync(process.env.CLOCK_FILE, 'utf8')) || 0;
let ahead = read();
setInterval(() => (ahead = read()), 20).unref();
globalThis.Date = class Date extends SystemDate {
  constructor(...given) {
    if (given.length === 0) super(rightNow() + ahead);
    else super(...given);
  }
  static now() {
    return rightNow() + ahead;
  }
};
`;
