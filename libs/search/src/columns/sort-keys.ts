import { SORT_FIELDS, type SortField } from '../query/sort.js';
import { Column, NONE } from './column.js';
import { OrderedSlots } from './ordered-slots.js';
import type { Slots } from './slots.js';

/** What a table is sorted by: a column for each sort field, and the slots in the order of each. */
export class SortKeys {
  private readonly columns = perField(() => Column.ofNumbers());
  private readonly orders: Readonly<Record<SortField, OrderedSlots>>;

  /** `isMember` of a slot in use tells those that are sorted. */
  constructor(slots: Slots, isMember: (slot: number) => boolean = () => true) {
    const byId = new OrderedSlots(slots, this.columns.id, () => slots.all().filter(isMember));
    this.orders = perField((field) =>
      field === 'id' ? byId : new OrderedSlots(slots, this.columns[field], () => byId.all()),
    );
  }

  column(field: SortField): Column {
    return this.columns[field];
  }

  order(field: SortField): OrderedSlots {
    return this.orders[field];
  }

  /** What has no such field has no key. `bulk` when so many change that sorting anew is quicker than following. */
  put(
    slot: number,
    keys: Partial<Record<SortField, number | null>>,
    { isNew, bulk }: { isNew: boolean; bulk: boolean },
  ) {
    const changed = SORT_FIELDS.filter(
      (field) => isNew || !Object.is(this.columns[field].get(slot), keys[field] ?? NONE),
    );
    for (const field of changed) {
      if (bulk) this.orders[field].invalidate();
      else if (!isNew) this.orders[field].remove(slot);
    }
    for (const field of changed) {
      this.columns[field].set(slot, keys[field] ?? NONE);
      this.orders[field].insert(slot);
    }
  }

  /** Before many are removed: to follow each costs more than to sort anew. */
  invalidate(): void {
    for (const field of SORT_FIELDS) this.orders[field].invalidate();
  }

  remove(slot: number): void {
    for (const field of SORT_FIELDS) this.orders[field].remove(slot);
  }
}

function perField<Value>(make: (field: SortField) => Value): Record<SortField, Value> {
  return {
    id: make('id'),
    datetime_utc: make('datetime_utc'),
    datetime_local: make('datetime_local'),
    announce_date: make('announce_date'),
    score: make('score'),
  };
}
