import type { Clock } from '#base/clock';

export type WorkingPart = Readonly<{
  /** Appears in the reason, e.g. `ping sweep`. */
  name: string;
  /** A counter that grows with each run, failed ones too: an unreachable Redis is no reason for a restart. */
  progress: () => number;
  /** The longest time without progress: one run and the pause before it. */
  withinMs: number;
}>;

type Watched = WorkingPart & { lastProgress: number; changedAt: number };

// A single check may come right after the process or its machine was suspended.
const CHECKS_IN_A_ROW = 2;

/** Detects that only a restart helps. While the database is unreachable the process counts as alive, because it continues by itself. */
export class Liveness {
  private readonly parts: Watched[] = [];
  private unreachable = false;
  private failedChecks = 0;
  private stalled: string | undefined;

  /** @param databaseAnswers uses a new connection; must return within seconds and must not throw */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly databaseAnswers: () => Promise<boolean>,
  ) {}

  /** Why the process should be restarted. */
  get reason(): string | undefined {
    return this.failedChecks >= CHECKS_IN_A_ROW ? this.stalled : undefined;
  }

  watch(part: WorkingPart): void {
    this.parts.push({ ...part, lastProgress: part.progress(), changedAt: this.clock.monotonic() });
  }

  /** Call this every few seconds. */
  async check(): Promise<void> {
    if (this.unreachable || this.parts.some((part) => this.idleMs(part) > part.withinMs / 2))
      await this.checkDatabase();
    const stalledParts = this.unreachable ? [] : this.parts.filter((part) => this.idleMs(part) > part.withinMs);
    this.failedChecks = stalledParts.length > 0 ? this.failedChecks + 1 : 0;
    this.stalled = stalledParts.map((part) => this.describe(part)).join('; ');
  }

  private async checkDatabase(): Promise<void> {
    const wasUnreachable = this.unreachable;
    this.unreachable = !(await this.databaseAnswers());
    // Once the database is back, each part gets its full time again.
    if (wasUnreachable || this.unreachable) for (const part of this.parts) part.changedAt = this.clock.monotonic();
  }

  private idleMs(part: Watched): number {
    const progress = part.progress();
    if (progress !== part.lastProgress)
      Object.assign(part, { lastProgress: progress, changedAt: this.clock.monotonic() });
    return this.clock.monotonic() - part.changedAt;
  }

  private describe({ name, changedAt }: Watched): string {
    const seconds = Math.round((this.clock.monotonic() - changedAt) / 1_000);
    return `${name}: nothing done for ${seconds} s, although the database answers on a new connection`;
  }
}
