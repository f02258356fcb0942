import type { Clock } from '#runtime/clock';

/** A part of the process that makes progress as long as it can work. */
export type WorkingPart = Readonly<{
  /** Appears in the reason, e.g. `ping sweep`. */
  name: string;
  /** A counter that grows with each run, failed ones too: an unreachable Redis is no reason for a restart. */
  progress: () => number;
  /** The longest time without progress: one run and the pause before it. */
  withinMs: number;
}>;

type Watched = WorkingPart & { seen: number; changedAt: number };

// A single check may come right after the process or its machine was suspended.
const LOOKS_IN_A_ROW = 2;

/**
 * Detects that the process has stopped working although the database answers, so that only a restart helps. While the database is
 * unreachable the process counts as alive, because it continues by itself once the database is back.
 */
export class Liveness {
  private readonly parts: Watched[] = [];
  private away = false;
  private looks = 0;
  private standing: string | undefined;

  /** @param databaseAnswers checks the database on a new connection. Must return within seconds and must not throw. */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly databaseAnswers: () => Promise<boolean>,
  ) {}

  /** Why the process should be restarted. Undefined while it works. */
  get reason(): string | undefined {
    return this.looks >= LOOKS_IN_A_ROW ? this.standing : undefined;
  }

  watch(part: WorkingPart): void {
    this.parts.push({ ...part, seen: part.progress(), changedAt: this.clock.monotonic() });
  }

  /** Call this every few seconds. */
  async look(): Promise<void> {
    if (this.away || this.parts.some((part) => this.stillMs(part) > part.withinMs / 2)) await this.askDatabase();
    const still = this.away ? [] : this.parts.filter((part) => this.stillMs(part) > part.withinMs);
    this.looks = still.length > 0 ? this.looks + 1 : 0;
    this.standing = still.map((part) => this.describe(part)).join('; ');
  }

  private async askDatabase(): Promise<void> {
    const wasAway = this.away;
    this.away = !(await this.databaseAnswers());
    // Once the database is back, each part gets its full time again.
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
