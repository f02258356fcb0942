/** An interruptible wait. If `wake` is called while nobody waits, the next wait ends at once. */
export class Pause {
  #woken = false;
  #end: (() => void) | undefined;

  async wait(ms: number): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#end = undefined;
    this.#woken = false;
  }

  wake(): void {
    this.#woken = true;
    this.#end?.();
  }
}
