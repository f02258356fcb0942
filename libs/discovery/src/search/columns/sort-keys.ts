import { SORT_FIELDS, type SortField } from '../query/sort.js';
import { Column, NULL_VALUE } from './column.js';
import { OrderedSlots } from './ordered-slots.js';
import type { Slots } from './slots.js';

export class SortKeys {
  private readonly columns = perField(() => Column.ofNumbers());
  private readonly orders: Readonly<Record<SortField, OrderedSlots>>;

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

  /** A missing field sorts as null. `bulk`: so many rows change that sorting again is faster than updating the order row by row. */
  put(
    slot: number,
    keys: Partial<Record<SortField, number | null>>,
    { isNew, bulk }: { isNew: boolean; bulk: boolean },
  ) {
    const changed = SORT_FIELDS.filter(
      (field) => isNew || !Object.is(this.columns[field].get(slot), keys[field] ?? NULL_VALUE),
    );
    for (const field of changed) {
      if (bulk) this.orders[field].invalidate();
      else if (!isNew) this.orders[field].remove(slot);
    }
    for (const field of changed) {
      this.columns[field].set(slot, keys[field] ?? NULL_VALUE);
      this.orders[field].insert(slot);
    }
  }

  /** Call this before a bulk removal: sorting again is faster than removing row by row. */
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
