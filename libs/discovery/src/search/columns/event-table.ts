import type { CountedField } from '../query/event-search.js';
import type { SortField } from '../query/sort.js';
import { textHash } from '../text/text-hash.js';
import { nameKey, tokenize } from '../../tokenizer.js';
import { InvertedIndex } from '../text/inverted-index.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { Column, NULL_VALUE } from './column.js';
import { Dictionary } from './dictionary.js';
import { IntMultimap } from './int-multimap.js';
import { PackedLists } from '../text/packed-lists.js';
import type { EventRow } from './rows.js';
import { Slots } from './slots.js';
import { SortKeys } from './sort-keys.js';

export const PRIMARY = 1;
export const HOME = 2;
export const AWAY = 4;

const DAY_MS = 86_400_000;

/** One column per field. Ids of venues and performers are replaced by slots, which may exist before their rows are loaded. */
export class EventTable {
  readonly slots = new Slots();
  readonly keys = new SortKeys(this.slots);
  readonly numbers: Readonly<Record<CountedField, Column>> = {
    listing_count: Column.ofNumbers(),
    average_price: Column.ofNumbers(),
    lowest_price: Column.ofNumbers(),
    highest_price: Column.ofNumbers(),
  };
  readonly visibleUntil = Column.ofNumbers();
  readonly venue = Column.ofIntegers();
  readonly types = new Dictionary();
  readonly taxonomySets = new Dictionary();
  readonly type = Column.ofIntegers();
  readonly taxonomySet = Column.ofIntegers();
  /** Days since 1970 of the local date. */
  readonly day = Column.ofIntegers();
  readonly month = Column.ofIntegers();
  readonly year = Column.ofIntegers();
  readonly title = Column.ofIntegers();
  readonly shortTitle = Column.ofIntegers();
  /** Hashes of all titles so far; never shrinks. */
  private readonly titles = new Set<number>();
  readonly eventsByVenue = new IntMultimap();
  readonly eventsByPerformer = new IntMultimap();
  readonly performers = new PackedLists();
  readonly titleWords: InvertedIndex;
  private linksVersion = 0;

  constructor(
    vocabulary: Vocabulary,
    private readonly venues: Slots,
    private readonly performerSlots: Slots,
  ) {
    this.titleWords = new InvertedIndex(vocabulary);
  }

  /** `bulk`: so many rows change that sorting again is faster than updating the order row by row. */
  put(row: EventRow, bulk: boolean): void {
    const existing = this.slots.find(row.id);
    const slot = existing ?? this.slots.claim(row.id);
    this.keys.put(slot, sortKeys(row), { isNew: existing === undefined, bulk });
    this.setColumns(slot, row);
  }

  remove(id: number): void {
    const slot = this.slots.find(id);
    if (slot === undefined) return;
    this.keys.remove(slot);
    this.removeLinks(slot);
    this.titleWords.remove(slot);
    this.slots.release(id);
  }

  /** Grows whenever the terms of an event change. Names of performers and venues have versions of their own. */
  get textVersion(): number {
    return this.linksVersion + this.titleWords.version;
  }

  /** Whether an event has or had this title or short title. */
  isTitle(key: string): boolean {
    return this.titles.has(textHash(key));
  }

  private setColumns(slot: number, row: EventRow): void {
    this.numbers.listing_count.set(slot, row.listing_count ?? NULL_VALUE);
    this.numbers.average_price.set(slot, row.average_price ?? NULL_VALUE);
    this.numbers.lowest_price.set(slot, row.lowest_price ?? NULL_VALUE);
    this.numbers.highest_price.set(slot, row.highest_price ?? NULL_VALUE);
    this.visibleUntil.set(slot, row.visible_until ?? NULL_VALUE);
    this.setKind(slot, row);
    const date = new Date(row.local);
    this.day.set(slot, Math.floor(row.local / DAY_MS));
    this.month.set(slot, date.getUTCMonth());
    this.year.set(slot, date.getUTCFullYear());
    this.setTitles(slot, row);
    this.setLinks(slot, row);
  }

  private setKind(slot: number, row: EventRow): void {
    const type = this.types.encode(nameKey(row.type));
    const set = this.taxonomySets.encode(row.own_taxonomy_ids.toSorted((a, b) => a - b).join());
    if (this.type.get(slot) !== type || this.taxonomySet.get(slot) !== set) this.linksVersion++;
    this.type.set(slot, type);
    this.taxonomySet.set(slot, set);
  }

  /** Titles seldom change, and indexing them costs the most. */
  private setTitles(slot: number, row: EventRow): void {
    const words = tokenize(row.title);
    const shortWords = row.short_title === row.title ? words : tokenize(row.short_title);
    const [title, shortTitle] = [textHash(words.join(' ')), textHash(shortWords.join(' '))];
    const indexed = this.titleWords.has(slot);
    if (indexed && this.title.get(slot) === title && this.shortTitle.get(slot) === shortTitle) return;
    this.title.set(slot, title);
    this.shortTitle.set(slot, shortTitle);
    this.titles.add(title).add(shortTitle);
    this.titleWords.set(slot, [
      { words, weight: 0 },
      { words: shortWords, weight: 0 },
    ]);
  }

  /** Most updates only change prices and leave the lists as they are. */
  private setLinks(slot: number, row: EventRow): void {
    const venue = this.venues.claim(row.venue_id);
    const links = this.performerLinks(row);
    if (this.venue.get(slot) === venue && this.performers.isSame(slot, links)) return;
    this.removeLinks(slot);
    this.venue.set(slot, venue);
    this.eventsByVenue.add(venue, slot);
    for (const link of links) this.eventsByPerformer.add(link >>> 3, slot * 8 + (link & 7));
    this.performers.set(slot, links);
    this.linksVersion++;
  }

  private performerLinks(row: EventRow): number[] {
    const ids = row.performer_ids.filter((id, at, all) => all.indexOf(id) === at);
    return ids.map((id) => {
      const roles =
        (row.primary_performer_ids.includes(id) ? PRIMARY : 0) |
        (row.home_team_ids.includes(id) ? HOME : 0) |
        (row.away_team_ids.includes(id) ? AWAY : 0);
      return this.performerSlots.claim(id) * 8 + roles;
    });
  }

  private removeLinks(slot: number): void {
    if (!this.performers.has(slot)) return;
    this.eventsByVenue.remove(this.venue.get(slot), slot);
    for (const link of this.performers.get(slot)) this.eventsByPerformer.remove(link >>> 3, slot * 8 + (link & 7));
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
