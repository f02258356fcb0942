// Whoever appends to what is followed wakes the followers of its own process only. Elsewhere a follower polls this often.
const UNTOLD_WAIT_MS = 50;
// Finds what a reset or the end of the other process leaves to do.
const TOLD_WAIT_MS = 500;

/**
 * How long a follower waits when it has read everything. It waits longer once it was woken, because then what it follows is written in this
 * process. If something new comes without a wake-up, another process writes it now.
 */
export class FollowerWait {
  #isTold = false;
  #wasWoken = false;

  /** There was something new to read. */
  found(): void {
    this.#isTold = this.#wasWoken;
  }

  /** `pause` returns whether it was woken. */
  async rest(pause: (ms: number) => Promise<boolean>): Promise<void> {
    this.#wasWoken = await pause(this.#isTold ? TOLD_WAIT_MS : UNTOLD_WAIT_MS);
    this.#isTold ||= this.#wasWoken;
  }
}
