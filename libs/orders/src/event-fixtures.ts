import { readdirSync, readFileSync } from 'node:fs';
import type { OrderEvent } from '#domain/order-events';
import type { RecordedEvent } from '#event-store/event';
import { parseJson } from '#base/json';

const FOLDER = new URL('./fixtures/', import.meta.resolve('#domain/order-events'));

/**
 * One stored event of each shipped type, by file name. A released file is never edited, because logs contain events of exactly that
 * form.
 */
export function eventFixtures(): ReadonlyMap<string, RecordedEvent<OrderEvent>> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return new Map(files.map((name) => [name.slice(0, -'.json'.length), read(name)]));
}

function read(name: string): RecordedEvent<OrderEvent> {
  return parseJson(readFileSync(new URL(name, FOLDER), 'utf8')) as RecordedEvent<OrderEvent>;
}
