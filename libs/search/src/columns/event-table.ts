import type { CountedField } from '../query/event-search.js';
import type { SortField } from '../query/sort.js';
import { textHash } from '../text/text-hash.js';
import { nameKey, tokenize } from '../text/tokenizer.js';
import { InvertedIndex } from '../text/inverted-index.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { Column, NONE } from './column.js';
import { Dictionary } from './dictionary.js';
import { Lists } from './lists.js';
import { PackedLists } from '../text/packed-lists.js';
import type { EventRow } from './rows.js';
import { Slots } from './slots.js';
import { SortKeys } from './sort-keys.js';

export const PRIMARY = 1;
export const HOME = 2;
export const AWAY = 4;

const DAY_MS = 86_400_000;

/** A list entry of a performer: the event's slot * 8 + the roles in which it takes part. */
export type Part = number;

/** All events by column. The ids of venues and performers are replaced by slots, which they have before their rows are known. */
export class EventTable {
  readonly slots = new Slots();
  readonly keys = new SortKeys(this.slots);
  readonly counted: Readonly<Record<CountedField, Column>> = {
    listing_count: Column.ofNumbers(),
    average_price: Column.ofNumbers(),
    lowest_price: Column.ofNumbers(),
    highest_price: Column.ofNumbers(),
  };
  readonly visibleUntil = Column.ofNumbers();
  readonly venue = Column.ofIntegers();
  /** Which types and sets of taxonomies there are. */
  readonly types = new Dictionary();
  readonly taxonomySets = new Dictionary();
  readonly type = Column.ofIntegers();
  readonly taxonomySet = Column.ofIntegers();
  /** Of the local date. */
  readonly day = Column.ofIntegers();
  readonly month = Column.ofIntegers();
  readonly year = Column.ofIntegers();
  /** Hashes of name keys. */
  readonly title = Column.ofIntegers();
  readonly shortTitle = Column.ofIntegers();
  /** Of all there ever were. */
  private readonly titles = new Set<number>();
  readonly atVenue = new Lists();
  readonly ofPerformer = new Lists();
  /** By slot: performer's slot * 8 + the roles. */
  readonly performers = new PackedLists();
  readonly titleWords: InvertedIndex;
  private partsVersion = 0;

  constructor(
    vocabulary: Vocabulary,
    private readonly venues: Slots,
    private readonly performerSlots: Slots,
  ) {
    this.titleWords = new InvertedIndex(vocabulary);
  }

  /** `bulk` when so many change that sorting anew is quicker than following. */
  put(row: EventRow, bulk: boolean): void {
    const known = this.slots.find(row.id);
    const slot = known ?? this.slots.claim(row.id);
    this.keys.put(slot, sortKeys(row), { isNew: known === undefined, bulk });
    this.setRest(slot, row);
  }

  remove(id: number): void {
    const slot = this.slots.find(id);
    if (slot === undefined) return;
    this.keys.remove(slot);
    this.forgetParts(slot);
    this.titleWords.remove(slot);
    this.slots.release(id);
  }

  /** Grows whenever an event is found by other words than before; those of what takes part apart. */
  get textVersion(): number {
    return this.partsVersion + this.titleWords.version;
  }

  /** Some event had this title; a short one counts, too. */
  isTitle(key: string): boolean {
    return this.titles.has(textHash(key));
  }

  private setRest(slot: number, row: EventRow): void {
    this.counted.listing_count.set(slot, row.listing_count ?? NONE);
    this.counted.average_price.set(slot, row.average_price ?? NONE);
    this.counted.lowest_price.set(slot, row.lowest_price ?? NONE);
    this.counted.highest_price.set(slot, row.highest_price ?? NONE);
    this.visibleUntil.set(slot, row.visible_until ?? NONE);
    this.setKind(slot, row);
    const date = new Date(row.local);
    this.day.set(slot, Math.floor(row.local / DAY_MS));
    this.month.set(slot, date.getUTCMonth());
    this.year.set(slot, date.getUTCFullYear());
    this.setTitles(slot, row);
    this.setParts(slot, row);
  }

  private setKind(slot: number, row: EventRow): void {
    const type = this.types.encode(nameKey(row.type));
    const set = this.taxonomySets.encode(row.own_taxonomy_ids.toSorted((a, b) => a - b).join());
    if (this.type.get(slot) !== type || this.taxonomySet.get(slot) !== set) this.partsVersion++;
    this.type.set(slot, type);
    this.taxonomySet.set(slot, set);
  }

  /** Titles seldom change and cost the most to index. */
  private setTitles(slot: number, row: EventRow): void {
    const words = tokenize(row.title);
    const shortWords = row.short_title === row.title ? words : tokenize(row.short_title);
    const [title, shortTitle] = [textHash(words.join(' ')), textHash(shortWords.join(' '))];
    const known = this.titleWords.has(slot);
    if (known && this.title.get(slot) === title && this.shortTitle.get(slot) === shortTitle) return;
    this.title.set(slot, title);
    this.shortTitle.set(slot, shortTitle);
    this.titles.add(title).add(shortTitle);
    this.titleWords.set(slot, [
      { words, weight: 0 },
      { words: shortWords, weight: 0 },
    ]);
  }

  /** Most changes of an event are of its prices: lists are left alone then. */
  private setParts(slot: number, row: EventRow): void {
    const venue = this.venues.claim(row.venue_id);
    const parts = this.partsOf(row);
    if (this.venue.get(slot) === venue && this.performers.isSame(slot, parts)) return;
    this.forgetParts(slot);
    this.venue.set(slot, venue);
    this.atVenue.add(venue, slot);
    for (const part of parts) this.ofPerformer.add(part >>> 3, slot * 8 + (part & 7));
    this.performers.set(slot, parts);
    this.partsVersion++;
  }

  private partsOf(row: EventRow): number[] {
    const ids = row.performer_ids.filter((id, at, all) => all.indexOf(id) === at);
    return ids.map((id) => {
      const roles =
        (row.primary_performer_ids.includes(id) ? PRIMARY : 0) |
        (row.home_team_ids.includes(id) ? HOME : 0) |
        (row.away_team_ids.includes(id) ? AWAY : 0);
      return this.performerSlots.claim(id) * 8 + roles;
    });
  }

  private forgetParts(slot: number): void {
    if (!this.performers.has(slot)) return;
    this.atVenue.remove(this.venue.get(slot), slot);
    for (const part of this.performers.get(slot)) this.ofPerformer.remove(part >>> 3, slot * 8 + (part & 7));
    this.performers.delete(slot);
  }
}

const sortKeys = (row: EventRow): Record<SortField, number | null> => ({
  id: row.id,
  datetime_utc: row.utc,
  datetime_local: row.local,
  announce_date: row.announced,
  score: row.score,
});
