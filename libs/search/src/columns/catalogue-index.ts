import { EventTable } from './event-table.js';
import { PerformerTable } from './performer-table.js';
import type { GenreRow, TaxonomyRow } from './rows.js';
import { TaxonomyTree } from './taxonomy-tree.js';
import { VenueTable } from './venue-table.js';
import { KindIndex } from './kind-index.js';
import { Vocabulary } from '../text/vocabulary.js';

/** All of the catalogue that is searched, in memory; documents are not. */
export class CatalogueIndex {
  readonly vocabulary = new Vocabulary();
  readonly taxonomies = new TaxonomyTree();
  readonly venues = new VenueTable(this.vocabulary);
  readonly performers = new PerformerTable(this.vocabulary);
  readonly events = new EventTable(this.vocabulary, this.venues.slots, this.performers.slots);
  readonly kinds = new KindIndex(this.vocabulary, this.events, this.taxonomies);
  genres: readonly GenreRow[] = [];
  private taxonomiesVersion = 0;

  /** Grows whenever an event may be found by other words than before. */
  get textVersion(): number {
    const { events, performers, venues } = this;
    return events.textVersion + performers.words.version + venues.words.version + this.taxonomiesVersion;
  }

  replaceTaxonomies(rows: readonly TaxonomyRow[]): void {
    this.taxonomies.replace(rows);
    this.kinds.forget();
    this.taxonomiesVersion++;
  }

  /** A performer, a venue or an event is called so. */
  isName(key: string): boolean {
    if (key === '') return false;
    return this.performers.called(key).size > 0 || this.venues.isName(key) || this.events.isTitle(key);
  }
}
