export class SlotsByName {
  private readonly bySlot: (readonly string[])[] = [];
  private readonly byName = new Map<string, Set<number>>();

  set(slot: number, names: readonly string[]): void {
    this.remove(slot);
    this.bySlot[slot] = names;
    for (const name of names) {
      const slots = this.byName.get(name);
      if (slots) slots.add(slot);
      else this.byName.set(name, new Set([slot]));
    }
  }

  remove(slot: number): void {
    for (const name of this.bySlot[slot] ?? []) {
      const slots = this.byName.get(name);
      slots?.delete(slot);
      if (slots?.size === 0) this.byName.delete(name);
    }
    this.bySlot[slot] = [];
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  get(name: string): ReadonlySet<number> {
    return this.byName.get(name) ?? EMPTY;
  }
}

const EMPTY: ReadonlySet<number> = new Set();
