import { readdirSync, readFileSync } from 'node:fs';
import type { MoneyEvent } from '#domain/money-events';
import type { OrderEvent } from '#domain/order-events';
import type { NewEvent, RecordedEvent } from '#event-store/event';
import { parseJson } from '#base/json';

const FOLDER = new URL('./fixtures/', import.meta.resolve('#domain/order-events'));

/**
 * One stored event of each shipped type, by file name. A released file is never edited, because logs contain events of exactly that
 * form.
 */
export function eventFixtures(): ReadonlyMap<string, RecordedEvent<OrderEvent>> {
  return fixturesIn<OrderEvent>(FOLDER);
}

/** The same for money that belongs to no order. */
export function moneyEventFixtures(): ReadonlyMap<string, RecordedEvent<MoneyEvent>> {
  return fixturesIn<MoneyEvent>(new URL('./money/', FOLDER));
}

function fixturesIn<E extends NewEvent>(folder: URL): ReadonlyMap<string, RecordedEvent<E>> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const read = (name: string) => parseJson(readFileSync(new URL(name, folder), 'utf8')) as RecordedEvent<E>;
  return new Map(files.map((name) => [name.slice(0, -'.json'.length), read(name)]));
}
