const NOBODY = -1;

/** Gives each id a small number, its slot: the place of its values in every column. Slots that are given back are used again. */
export class Slots {
  /** Ids by slot; below 0 for a slot in nobody's use. */
  ids = new Int32Array(1024);
  /** All slots in use are below it. */
  limit = 0;
  private readonly slotsById = new Map<number, number>();
  private readonly free: number[] = [];

  get count(): number {
    return this.slotsById.size;
  }

  find(id: number): number | undefined {
    return this.slotsById.get(id);
  }

  claim(id: number): number {
    const known = this.slotsById.get(id);
    if (known !== undefined) return known;
    const slot = this.free.pop() ?? this.limit++;
    if (slot >= this.ids.length) {
      const longer = new Int32Array(this.ids.length * 2);
      longer.set(this.ids);
      this.ids = longer;
    }
    this.ids[slot] = id;
    this.slotsById.set(id, slot);
    return slot;
  }

  release(id: number): void {
    const slot = this.slotsById.get(id);
    if (slot === undefined) return;
    this.slotsById.delete(id);
    this.ids[slot] = NOBODY;
    this.free.push(slot);
  }

  /** All in use. */
  all(): Uint32Array {
    const found = new Uint32Array(this.count);
    let count = 0;
    for (let slot = 0; slot < this.limit; slot++) if (this.ids[slot] !== NOBODY) found[count++] = slot;
    return found;
  }

  allIds(): IterableIterator<number> {
    return this.slotsById.keys();
  }
}
