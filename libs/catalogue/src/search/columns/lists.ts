import type { Column } from './column.js';

/** Numbers under a number, in no order: which events are at a venue. */
export class Lists {
  private readonly lists: number[][] = [];
  private readonly sorted: boolean[] = [];

  add(key: number, value: number): void {
    const list = this.lists[key];
    this.sorted[key] = false;
    if (list) list.push(value);
    else this.lists[key] = [value];
  }

  remove(key: number, value: number): void {
    const list = this.lists[key] ?? [];
    const at = list.indexOf(value);
    const last = list.pop();
    this.sorted[key] = false;
    if (at >= 0 && at < list.length && last !== undefined) list[at] = last;
  }

  get(key: number): readonly number[] {
    return this.lists[key] ?? NOTHING;
  }

  /** The same by growing values of a column, always the same one, which change only while the number is not in the list. */
  sortedBy(key: number, { data }: Column): readonly number[] {
    const list = this.lists[key] ?? [];
    if (this.sorted[key] !== true) list.sort((a, b) => (data[a] ?? 0) - (data[b] ?? 0));
    this.sorted[key] = true;
    return list;
  }
}

const NOTHING: readonly number[] = [];
