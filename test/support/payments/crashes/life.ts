/**
 * One life of a program that is about to crash. It crosses seams, and at one of them it dies: there nothing throws and nothing returns, as when a
 * process ends. What still runs beside it stops at its own next seam.
 */
export class Life {
  /** Resolves with the seam at which it died. */
  readonly death: Promise<string>;
  #crossed = 0;
  #isOver = false;
  #die: (seam: string) => void = () => undefined;
  readonly #lastThings: (() => void)[] = [];

  /** @param diesAt dies at its n-th seam; 0: does not die at any */
  constructor(private readonly diesAt: number) {
    this.death = new Promise((resolve) => (this.#die = resolve));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Between two things that a process does one after the other. */
  async cross(seam: string): Promise<void> {
    if (this.#isOver) return await never();
    this.#crossed += 1;
    if (this.#crossed !== this.diesAt) return;
    this.end(seam);
    await never();
  }

  /** For what is no seam of its own, but must not go on after the end. */
  async breathe(): Promise<void> {
    if (this.#isOver) await never();
  }

  end(seam: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const last of this.#lastThings) last();
    this.#die(seam);
  }

  /** What the operating system does when a process ends: it closes connections. */
  atEnd(last: () => void): void {
    if (this.#isOver) last();
    else this.#lastThings.push(last);
  }
}

/** A new one each time: one for all would keep whatever waits for it in memory. */
const never = () => new Promise<never>(() => undefined);
