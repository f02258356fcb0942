import type { Clock } from '#runtime/clock';

/** A part of the process that takes turns for as long as it can work. */
export type WorkingPart = Readonly<{
  /** As the reason names it, e.g. `ping sweep`. */
  name: string;
  /** How many turns are over, failed ones too: a fault of others, e.g. a Redis that is away, is no reason for a restart. */
  progress: () => number;
  /** In milliseconds: how long a turn and the pause before it may take together. */
  withinMs: number;
}>;

type Watched = WorkingPart & { seen: number; changedAt: number };

// One look may come right after the process or its machine stood still.
const LOOKS_IN_A_ROW = 2;

/**
 * Tells when the process can no longer work although the database answers, so that only a restart helps. While the database
 * is away there is no such reason: the process goes on by itself when it is back.
 */
export class Liveness {
  private readonly parts: Watched[] = [];
  private away = false;
  private looks = 0;
  private standing: string | undefined;

  /** @param databaseAnswers whether the database answers on a new connection; must not throw, and must answer within seconds. */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly databaseAnswers: () => Promise<boolean>,
  ) {}

  /** Undefined while the process works. */
  get reason(): string | undefined {
    return this.looks >= LOOKS_IN_A_ROW ? this.standing : undefined;
  }

  /** From now on each `look` looks at this part too. */
  watch(part: WorkingPart): void {
    this.parts.push({ ...part, seen: part.progress(), changedAt: this.clock.monotonic() });
  }

  /** Run it every few seconds. */
  async look(): Promise<void> {
    if (this.away || this.parts.some((part) => this.stillMs(part) > part.withinMs / 2)) await this.askDatabase();
    const still = this.away ? [] : this.parts.filter((part) => this.stillMs(part) > part.withinMs);
    this.looks = still.length > 0 ? this.looks + 1 : 0;
    this.standing = still.map((part) => this.describe(part)).join('; ');
  }

  private async askDatabase(): Promise<void> {
    const wasAway = this.away;
    this.away = !(await this.databaseAnswers());
    // Each part gets its whole time once the database is back.
    if (wasAway || this.away) for (const part of this.parts) part.changedAt = this.clock.monotonic();
  }

  private stillMs(part: Watched): number {
    const turns = part.progress();
    if (turns !== part.seen) Object.assign(part, { seen: turns, changedAt: this.clock.monotonic() });
    return this.clock.monotonic() - part.changedAt;
  }

  private describe({ name, changedAt }: Watched): string {
    const seconds = Math.round((this.clock.monotonic() - changedAt) / 1_000);
    return `${name}: nothing done for ${seconds} s, although the database answers on a new connection`;
  }
}
