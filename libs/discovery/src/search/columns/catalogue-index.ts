import { EventTable } from './event-table.js';
import { PerformerTable } from './performer-table.js';
import type { GenreRow, TaxonomyRow } from './rows.js';
import { TaxonomyTree } from './taxonomy-tree.js';
import { VenueTable } from './venue-table.js';
import { KindIndex } from './kind-index.js';
import { Vocabulary } from '../text/vocabulary.js';

/** In memory. Documents stay in the database. */
export class CatalogueIndex {
  readonly vocabulary = new Vocabulary();
  readonly taxonomies = new TaxonomyTree();
  readonly venues = new VenueTable(this.vocabulary);
  readonly performers = new PerformerTable(this.vocabulary);
  readonly events = new EventTable(this.vocabulary, this.venues.slots, this.performers.slots);
  readonly kinds = new KindIndex(this.vocabulary, this.events, this.taxonomies);
  genres: readonly GenreRow[] = [];
  private taxonomiesVersion = 0;

  /** Grows whenever the terms of an event may have changed. */
  get textVersion(): number {
    const { events, performers, venues } = this;
    return events.textVersion + performers.words.version + venues.words.version + this.taxonomiesVersion;
  }

  replaceTaxonomies(rows: readonly TaxonomyRow[]): void {
    this.taxonomies.replace(rows);
    this.kinds.reset();
    this.taxonomiesVersion++;
  }

  /** Whether a performer, a venue or an event has this name. */
  isName(key: string): boolean {
    if (key === '') return false;
    return this.performers.withName(key).size > 0 || this.venues.isName(key) || this.events.isTitle(key);
  }
}
