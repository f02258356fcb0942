import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/support/cases.js';
import { CatalogueIndex } from '../columns/catalogue-index.js';
import { termOf } from '../text/vocabulary.js';
import { TermCache } from './term-cache.js';
import { SlotWeightsPool } from './slot-weights.js';

const WORDS = ['fox', 'owl', 'elk', 'bee'];
const words = fc.subarray(WORDS);
const id = fc.integer({ min: 1, max: 2 });

// Few values, so that often only one thing changes. Prices and scores change the document, not the matches.
const event = fc.record({
  id,
  words: fc.constantFrom<string[]>([], ['fox']),
  venue: id,
  performers: fc.subarray([1, 2]),
  kind: id,
  price: fc.nat(2),
});
const venue = fc.record({ id, words, city: fc.constantFrom(...WORDS), address: words });
const performer = fc.record({ id, words, kind: words, score: fc.nat(1) });
const taxonomies = fc.array(words, { minLength: 2, maxLength: 2 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ event: fc.oneof({ weight: 4, arbitrary: event }, id) }) },
  fc.record({ venue: fc.oneof(venue, id) }),
  fc.record({ performer: fc.oneof(performer, id) }),
  fc.record({ taxonomies }),
);

type Given<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;

/** The index and the rows in it. */
class IndexedRows {
  readonly index = new CatalogueIndex();
  private readonly events = new Map<number, Given<typeof event>>();
  private readonly venues = new Map<number, Given<typeof venue>>();
  private readonly performers = new Map<number, Given<typeof performer>>();
  private taxonomies: readonly (readonly string[])[] = [];

  /** A number removes the row with this id. */
  take(change: Given<typeof step>): void {
    if ('event' in change) this.takeEvent(change.event);
    else if ('venue' in change) this.takeVenue(change.venue);
    else if ('performer' in change) this.takePerformer(change.performer);
    else {
      this.taxonomies = change.taxonomies;
      const rows = change.taxonomies.map((name, at) => ({ id: at + 1, name: name.join('_'), parent_id: null }));
      this.index.replaceTaxonomies(rows.map((row) => ({ ...row, document: '' })));
    }
  }

  /** By event id. */
  expected(word: string): Record<number, number> {
    const weights = [...this.events.values()].map((one) => {
      const at = this.venues.get(one.venue);
      const performers = one.performers.map((performer) => this.performers.get(performer));
      const places: [number, boolean | undefined][] = [
        [255, one.words.includes(word)],
        [230, performers.some((performer) => performer?.words.includes(word))],
        [140, at?.words.includes(word)],
        [100, at?.city === word],
        [80, this.taxonomies[one.kind - 1]?.includes(word)],
        [60, performers.some((performer) => performer?.kind.includes(word))],
        [40, at?.address.includes(word)],
      ];
      return [one.id, places.find(([, stands]) => stands)?.[0] ?? 0];
    });
    return Object.fromEntries(weights.filter(([, weight]) => weight !== 0)) as Record<number, number>;
  }

  private takeEvent(change: Given<typeof event> | number): void {
    if (typeof change === 'number') {
      this.events.delete(change);
      this.index.events.remove(change);
      return;
    }
    this.events.set(change.id, change);
    const title = change.words.join(' ');
    const row = { id: change.id, title, short_title: title, type: 'show', utc: 0, local: 0, announced: null, score: 0 };
    const parts = { performer_ids: change.performers, primary_performer_ids: [], home_team_ids: [], away_team_ids: [] };
    const stats = { listing_count: 1, average_price: change.price, lowest_price: change.price, highest_price: 2 };
    const rest = { own_taxonomy_ids: [change.kind], venue_id: change.venue, visible_until: null };
    this.index.events.put({ ...row, ...parts, ...stats, ...rest }, false);
  }

  private takeVenue(change: Given<typeof venue> | number): void {
    if (typeof change === 'number') {
      this.venues.delete(change);
      this.index.venues.remove(change);
      return;
    }
    this.venues.set(change.id, change);
    const place = { city: change.city, state: null, country: null, postal_code: null, lat: null, lon: null };
    const name = change.words.join(' ');
    const row = { id: change.id, name, slug: name, score: 0, place_text: change.address.join(' ') };
    this.index.venues.put({ ...row, ...place }, false);
  }

  private takePerformer(change: Given<typeof performer> | number): void {
    if (typeof change === 'number') {
      this.performers.delete(change);
      this.index.performers.remove(change);
      return;
    }
    this.performers.set(change.id, change);
    const name = change.words.join(' ');
    const row = { id: change.id, name, short_name: name, slug: name, type: 'band', score: change.score };
    const kinds = { taxonomy_ids: [], genre_slugs: [], primary_genre_slugs: [], kind_text: change.kind.join(' ') };
    this.index.performers.put({ ...row, ...kinds }, false);
  }
}

test('a term matches the current texts, with its highest weight in each event', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const indexed = new IndexedRows();
      const pool = new SlotWeightsPool();
      const terms = new TermCache(indexed.index, pool);
      const { ids } = indexed.index.events.slots;
      for (const one of steps) {
        indexed.take(one);
        for (const word of WORDS) {
          const { slots, weights, bySlot } = terms.find({ word, term: termOf(word) }, false);
          const found = Array.from(slots, (slot, at) => [ids[slot], weights[bySlot ? slot : at]]);
          expect(Object.fromEntries(found), word).toEqual(indexed.expected(word));
          expect(found).toHaveLength(Object.keys(indexed.expected(word)).length);
          pool.release();
        }
      }
    }),
    { numRuns: cases(30) },
  );
});

test('a repeated term is not searched again until a text changes', () => {
  const indexed = new IndexedRows();
  const one = { id: 1, words: ['fox'], venue: 1, performers: [], kind: 1, price: 1 };
  indexed.take({ event: one });
  const terms = new TermCache(indexed.index, new SlotWeightsPool());
  const fox = { word: 'fox', term: 'fox' };
  const found = terms.find(fox, false);
  indexed.take({ event: { ...one, price: 2 } });
  expect(terms.find(fox, false)).toBe(found);
  indexed.take({ event: { ...one, words: ['fox', 'owl'] } });
  expect(terms.find(fox, false)).not.toBe(found);
});
