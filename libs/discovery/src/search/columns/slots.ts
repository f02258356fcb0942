const FREE = -1;

/** Maps each id to a small number, its slot: the position of its values in every column. Released slots are reused. */
export class Slots {
  /** Ids by slot; negative for a free slot. Doubles, because an id may have 16 digits. */
  ids = new Float64Array(1024);
  /** Exclusive upper limit of the slots in use. */
  limit = 0;
  private readonly slotsById = new Map<number, number>();
  private readonly freeSlots: number[] = [];

  get count(): number {
    return this.slotsById.size;
  }

  find(id: number): number | undefined {
    return this.slotsById.get(id);
  }

  claim(id: number): number {
    const existing = this.slotsById.get(id);
    if (existing !== undefined) return existing;
    const slot = this.freeSlots.pop() ?? this.limit++;
    if (slot >= this.ids.length) {
      const grown = new Float64Array(this.ids.length * 2);
      grown.set(this.ids);
      this.ids = grown;
    }
    this.ids[slot] = id;
    this.slotsById.set(id, slot);
    return slot;
  }

  release(id: number): void {
    const slot = this.slotsById.get(id);
    if (slot === undefined) return;
    this.slotsById.delete(id);
    this.ids[slot] = FREE;
    this.freeSlots.push(slot);
  }

  all(): Uint32Array {
    const found = new Uint32Array(this.count);
    let count = 0;
    for (let slot = 0; slot < this.limit; slot++) if (this.ids[slot] !== FREE) found[count++] = slot;
    return found;
  }

  allIds(): IterableIterator<number> {
    return this.slotsById.keys();
  }
}
