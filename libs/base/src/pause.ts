/** An interruptible wait. If `wake` is called while nobody waits, the next wait ends at once. */
export class Pause {
  #woken = false;
  #end: (() => void) | undefined;

  /** Returns whether it was woken. */
  async wait(ms: number): Promise<boolean> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const woken = this.#woken;
    this.#end = undefined;
    this.#woken = false;
    return woken;
  }

  wake(): void {
    this.#woken = true;
    this.#end?.();
  }
}
