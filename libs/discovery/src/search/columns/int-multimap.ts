/** In no order, e.g. the events of a venue. */
export class IntMultimap {
  private readonly lists: number[][] = [];

  add(key: number, value: number): void {
    const list = this.lists[key];
    if (list) list.push(value);
    else this.lists[key] = [value];
  }

  remove(key: number, value: number): void {
    const list = this.lists[key] ?? [];
    const at = list.indexOf(value);
    const last = list.pop();
    if (at >= 0 && at < list.length && last !== undefined) list[at] = last;
  }

  get(key: number): readonly number[] {
    return this.lists[key] ?? EMPTY;
  }
}

const EMPTY: readonly number[] = [];
