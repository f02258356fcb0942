import { Injectable } from '@nestjs/common';
import type { Timeline, TimelineEntry, TimelineQuery } from '../timeline.contract.js';
import type { OrderEvent } from '#domain/order-events';
import { type Order, statusCount } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { EventNotes } from '#orders/event-notes';
import { EventStore } from '#event-store/event-store';
import type { Caller } from '#accounts/caller';
import { OperatorNames } from '#accounts/operator-names';
import { cursorPage, readCursor } from '#web/cursor-page';
import { DeliveryEntries } from './delivery-entries.js';
import { readsNoteOf } from '#orders/staff-remarks';
import { isSortKey, sortKey, type UnnamedEntry } from './entry.js';
import { eventEntry } from './event-entries.js';
import { StaffEntries } from './staff-entries.js';

/** Collects everything that happened to an order, from all places that record it. */
@Injectable()
export class OrderTimeline {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly delivery: DeliveryEntries,
    private readonly staff: StaffEntries,
    private readonly names: OperatorNames,
    private readonly notes: EventNotes,
  ) {}

  /** Undefined if there is no such order. */
  async page(orderId: string, { limit, cursor, sort }: TimelineQuery, caller: Caller): Promise<Timeline | undefined> {
    const after = readCursor(cursor, parseCursor);
    const { events, state } = await this.store.read(orderStream(orderId));
    if (!state.known) return undefined;
    const [notes, ...others] = await Promise.all([
      this.notes.ofStream(events),
      this.delivery.ofOrder(orderId, caller.permissions.includes('delivery:read')),
      this.staff.ofOrder(orderId, statusCount(state), caller),
    ]);
    const isBefore = (a: string, b: string) => (sort === 'at.asc' ? a < b : a > b);
    const noteOf = (event: (typeof events)[number]) =>
      readsNoteOf(event.metadata.actor, caller) ? notes.get(event.position) : undefined;
    const sorted = [...events.map((event) => eventEntry(event, noteOf(event))), ...others.flat()]
      .map((entry) => ({ key: sortKey(entry), entry }))
      .filter(({ key }) => after === undefined || isBefore(after, key))
      .sort((a, b) => (isBefore(a.key, b.key) ? -1 : 1));
    const { page, next_cursor } = cursorPage(sorted, limit, ({ key }) => Buffer.from(key).toString('base64url'));
    const names = await this.names.of(page.map(({ entry }) => entry.actor));
    return {
      entries: page.map(({ entry }) => named(entry, names)),
      next_cursor,
    };
  }
}

function parseCursor(text: string): string | undefined {
  const key = Buffer.from(text, 'base64url').toString();
  return isSortKey(key) ? key : undefined;
}

function named(sorted: UnnamedEntry, names: ReadonlyMap<string, string>): TimelineEntry {
  const { order: _, ...entry } = sorted;
  return { ...entry, actor_name: names.get(entry.actor) ?? null };
}
