import type { CountedField } from '../event-search.js';
import type { SortField } from '../sort.js';
import { nameKey } from '../text/words.js';
import { WordIndex } from '../text/word-index.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { Column, NONE } from './column.js';
import { Interned } from './interned.js';
import { Lists } from './lists.js';
import { OrderedSlots } from './ordered-slots.js';
import type { EventRow } from './rows.js';
import { Slots } from './slots.js';

export const PRIMARY = 1;
export const HOME = 2;
export const AWAY = 4;

const DAY_MS = 86_400_000;

/** A list entry of a performer: the event's slot * 8 + the roles in which it takes part. */
export type Part = number;

/** All events by column. The ids of venues and performers are replaced by slots, which they have before their rows are known. */
export class EventTable {
  readonly slots = new Slots();
  readonly keys: Readonly<Record<SortField, Column>> = {
    id: Column.ofNumbers(),
    datetime_utc: Column.ofNumbers(),
    datetime_local: Column.ofNumbers(),
    announce_date: Column.ofNumbers(),
    score: Column.ofNumbers(),
  };
  readonly counted: Readonly<Record<CountedField, Column>> = {
    listing_count: Column.ofNumbers(),
    average_price: Column.ofNumbers(),
    lowest_price: Column.ofNumbers(),
    highest_price: Column.ofNumbers(),
  };
  readonly visibleUntil = Column.ofNumbers();
  readonly venue = Column.ofIntegers();
  /** Which types, sets of taxonomies and titles there are; a title by its name key. */
  readonly types = new Interned();
  readonly taxonomySets = new Interned();
  readonly type = Column.ofIntegers();
  readonly taxonomySet = Column.ofIntegers();
  /** Of the local date. */
  readonly day = Column.ofIntegers();
  readonly month = Column.ofIntegers();
  readonly year = Column.ofIntegers();
  readonly title = Column.ofIntegers();
  readonly shortTitle = Column.ofIntegers();
  readonly titles = new Interned();
  readonly atVenue = new Lists();
  readonly ofPerformer = new Lists();
  readonly performers: number[][] = [];
  readonly titleWords: WordIndex;
  readonly orders: Readonly<Record<SortField, OrderedSlots>>;

  constructor(
    vocabulary: Vocabulary,
    private readonly venues: Slots,
    private readonly performerSlots: Slots,
  ) {
    this.titleWords = new WordIndex(vocabulary);
    const order = (field: SortField) => new OrderedSlots(this.slots, this.keys[field]);
    this.orders = {
      id: order('id'),
      datetime_utc: order('datetime_utc'),
      datetime_local: order('datetime_local'),
      announce_date: order('announce_date'),
      score: order('score'),
    };
  }

  /** `bulk` when so many change that sorting anew is quicker than following. */
  put(row: EventRow, bulk: boolean): void {
    const known = this.slots.find(row.id);
    const slot = known ?? this.slots.claim(row.id);
    const moved = known === undefined ? SORTED : this.fieldsThatMove(slot, row);
    for (const field of moved) {
      if (bulk) this.orders[field].spoil();
      else if (known !== undefined) this.orders[field].remove(slot);
    }
    if (known !== undefined) this.forgetParts(slot);
    this.setKeys(slot, row);
    for (const field of moved) this.orders[field].insert(slot);
    this.setRest(slot, row);
  }

  remove(id: number): void {
    const slot = this.slots.find(id);
    if (slot === undefined) return;
    for (const order of Object.values(this.orders)) order.remove(slot);
    this.forgetParts(slot);
    this.titleWords.remove(slot);
    this.slots.release(id);
  }

  private fieldsThatMove(slot: number, row: EventRow): SortField[] {
    const keys = sortKeys(row);
    return SORTED.filter((field) => !Object.is(this.keys[field].get(slot), keys[field]));
  }

  private setKeys(slot: number, row: EventRow): void {
    const keys = sortKeys(row);
    for (const field of SORTED) this.keys[field].set(slot, keys[field]);
  }

  private setRest(slot: number, row: EventRow): void {
    this.counted.listing_count.set(slot, row.listing_count);
    this.counted.average_price.set(slot, row.average_price ?? NONE);
    this.counted.lowest_price.set(slot, row.lowest_price ?? NONE);
    this.counted.highest_price.set(slot, row.highest_price ?? NONE);
    this.visibleUntil.set(slot, row.visible_until ?? NONE);
    this.type.set(slot, this.types.number(row.type));
    this.taxonomySet.set(slot, this.taxonomySets.number(row.own_taxonomy_ids.toSorted((a, b) => a - b).join()));
    const date = new Date(row.local);
    this.day.set(slot, Math.floor(row.local / DAY_MS));
    this.month.set(slot, date.getUTCMonth());
    this.year.set(slot, date.getUTCFullYear());
    this.setTitles(slot, row);
    this.setParts(slot, row);
  }

  /** Titles seldom change and cost the most to index. */
  private setTitles(slot: number, row: EventRow): void {
    const [title, shortTitle] = [nameKey(row.title), nameKey(row.short_title)];
    const [number, shortNumber] = [this.titles.number(title), this.titles.number(shortTitle)];
    this.shortTitle.set(slot, shortNumber);
    if (this.title.get(slot) === number && this.titleWords.has(slot)) return;
    this.title.set(slot, number);
    const texts = title === shortTitle ? [title] : [title, shortTitle];
    this.titleWords.set(
      slot,
      texts.map((text) => ({ text, weight: 0 as const })),
    );
  }

  private setParts(slot: number, row: EventRow): void {
    const venue = this.venues.claim(row.venue_id);
    this.venue.set(slot, venue);
    this.atVenue.add(venue, slot);
    const ids = row.performer_ids.filter((id, at, all) => all.indexOf(id) === at);
    this.performers[slot] = ids.map((id) => {
      const roles =
        (row.primary_performer_ids.includes(id) ? PRIMARY : 0) |
        (row.home_team_ids.includes(id) ? HOME : 0) |
        (row.away_team_ids.includes(id) ? AWAY : 0);
      const performer = this.performerSlots.claim(id);
      this.ofPerformer.add(performer, slot * 8 + roles);
      return performer * 8 + roles;
    });
  }

  private forgetParts(slot: number): void {
    this.atVenue.remove(this.venue.get(slot), slot);
    for (const part of this.performers[slot] ?? []) this.ofPerformer.remove(part >>> 3, slot * 8 + (part & 7));
    this.performers[slot] = [];
  }
}

const SORTED: readonly SortField[] = ['id', 'datetime_utc', 'datetime_local', 'announce_date', 'score'];

const sortKeys = (row: EventRow): Record<SortField, number> => ({
  id: row.id,
  datetime_utc: row.utc,
  datetime_local: row.local,
  announce_date: row.announced ?? NONE,
  score: row.score,
});
