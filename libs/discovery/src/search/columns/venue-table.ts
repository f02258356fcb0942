import type { VenueFilter } from '../query/filters.js';
import { EARTH_RADIUS_METRES, type Near, RADIANS } from '../query/place.js';
import { nameKey, tokenize } from '../../tokenizer.js';
import { Column, NULL_VALUE } from './column.js';
import { EntityTable } from './entity-table.js';
import { Dictionary } from './dictionary.js';
import { placeNames } from './place-names.js';
import type { VenueRow } from './rows.js';
import { SlotsByName } from './slots-by-name.js';

/** By slot: 1 if it matches, else 0. */
export type Mask = Uint8Array;

type TextField = 'city' | 'state' | 'country' | 'postalCode' | 'name' | 'slug';
const NO_TEXT = -1;
// Equals no code of a text and no id.
const NO_MATCH = -2;

export class VenueTable extends EntityTable {
  private readonly lat = Column.ofNumbers();
  private readonly lon = Column.ofNumbers();
  private readonly texts = new Dictionary();
  private readonly fields: Readonly<Record<TextField, Column<Int32Array>>> = {
    city: Column.ofIntegers(),
    state: Column.ofIntegers(),
    country: Column.ofIntegers(),
    postalCode: Column.ofIntegers(),
    name: Column.ofIntegers(),
    slug: Column.ofIntegers(),
  };
  private readonly slotsByPlace = new SlotsByName();

  put(row: VenueRow, bulk: boolean): void {
    const slot = this.putKeys(row, bulk);
    this.lat.set(slot, row.lat === null ? NULL_VALUE : row.lat * RADIANS);
    this.lon.set(slot, row.lon === null ? NULL_VALUE : row.lon * RADIANS);
    const texts = [row.city, row.state, row.country, row.postal_code, row.name, row.slug];
    for (const [at, field] of TEXT_FIELDS.entries()) {
      const text = texts[at];
      this.fields[field].set(slot, text == null ? NO_TEXT : this.texts.encode(textKey(field, text)));
    }
    const places = placeNames(row);
    this.slotsByPlace.set(slot, places);
    this.words.set(slot, [
      { words: tokenize(row.name), weight: 1 },
      { words: places.flatMap(tokenize), weight: 2 },
      { words: tokenize(row.place_text), weight: 3 },
    ]);
  }

  hasName(slot: number, key: string): boolean {
    return this.fields.name.get(slot) === (this.texts.find(key) ?? NO_MATCH);
  }

  isName(key: string): boolean {
    const wanted = this.texts.find(key);
    return wanted !== undefined && this.fields.name.data.subarray(0, this.slots.limit).includes(wanted);
  }

  isPlace(name: string): boolean {
    return this.slotsByPlace.has(name);
  }

  inPlace(name: string): Mask {
    const mask = new Uint8Array(this.slots.limit);
    for (const slot of this.slotsByPlace.get(name)) mask[slot] = 1;
    return mask;
  }

  matching(filter: VenueFilter): Mask {
    const mask = this.present.data.slice(0, this.slots.limit);
    if (filter.ids) keep(mask, this.slots.ids, filter.ids);
    const requested = [filter.cities, filter.states, filter.countries, filter.postalCodes, filter.names, filter.slugs];
    for (const [at, field] of TEXT_FIELDS.entries()) {
      const wanted = requested[at]?.map((text) => this.texts.find(textKey(field, text)) ?? NO_MATCH);
      if (wanted) keep(mask, this.fields[field].data, wanted);
    }
    return Uint8Array.from(mask);
  }

  /** By great-circle distance on a sphere. A venue without coordinates never matches. */
  near({ lat, lon, rangeMetres }: Near): Mask {
    const [centreLat, centreLon] = [lat * RADIANS, lon * RADIANS];
    const reach = rangeMetres / EARTH_RADIUS_METRES;
    const [lats, lons] = [this.lat.data, this.lon.data];
    const cosine = Math.cos(centreLat);
    // Everything lies within half the circumference; beyond it the sine would fall again.
    const most = reach >= Math.PI ? 1 : Math.sin(reach / 2) ** 2;
    return this.mask((slot) => {
      const north = (lats[slot] ?? NULL_VALUE) - centreLat;
      if (!(Math.abs(north) <= reach)) return false;
      const east = (lons[slot] ?? NULL_VALUE) - centreLon;
      const haversine = Math.sin(north / 2) ** 2 + cosine * Math.cos(lats[slot] ?? 0) * Math.sin(east / 2) ** 2;
      return haversine <= most;
    });
  }

  metresFrom({ lat, lon }: Near, slot: number): number {
    const [ownLat, centreLat] = [this.lat.get(slot), lat * RADIANS];
    const east = this.lon.get(slot) - lon * RADIANS;
    const haversine =
      Math.sin((ownLat - centreLat) / 2) ** 2 + Math.cos(centreLat) * Math.cos(ownLat) * Math.sin(east / 2) ** 2;
    return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(haversine)));
  }

  private mask(holds: (slot: number) => boolean): Mask {
    const mask = new Uint8Array(this.slots.limit);
    const present = this.present.data;
    for (let slot = 0; slot < mask.length; slot++) if (present[slot] === 1 && holds(slot)) mask[slot] = 1;
    return mask;
  }

  protected override removeNames(slot: number): void {
    this.slotsByPlace.remove(slot);
    this.fields.name.set(slot, NO_TEXT);
  }
}

const TEXT_FIELDS: readonly TextField[] = ['city', 'state', 'country', 'postalCode', 'name', 'slug'];

/**
 * The field is part of the key, so the state `NY` does not match a country `NY`. Names have no prefix, because they are also looked up by
 * name key.
 */
function textKey(field: TextField, text: string): string {
  if (field === 'name') return nameKey(text);
  if (field === 'postalCode') return `${field} ${text.replace(/\s/g, '').toUpperCase()}`;
  return `${field} ${nameKey(text)}`;
}

/** Clears the mask where the column has none of the values. */
function keep(mask: Int32Array, column: Int32Array | Float64Array, values: readonly number[]): void {
  const [only = NO_MATCH, ...others] = values;
  for (let slot = 0; slot < mask.length; slot++) {
    if (column[slot] !== only && (others.length === 0 || !others.includes(column[slot] ?? NO_MATCH))) mask[slot] = 0;
  }
}
