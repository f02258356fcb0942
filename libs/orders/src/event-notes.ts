import { Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { stringifyJson } from '#base/json';
import { Sealer, UnsealError } from '#base/sealing';
import type { TransferRecipient } from '#domain/delivery-events';
import type { Transfer } from '#domain/delivery-state';
import type { OrderCommand } from '#domain/order';
import type { Noted } from '#domain/noted';
import type { OrderEvent, ProposedTickets } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { RecordedEvent } from '#event-store/event';
import type { Stream } from '#event-store/event-store';
import { NO_BUYER_DIGESTS } from './buyer-digests.js';
import { CardDataPolicy } from './card-data-policy.js';
import { type OrderKey, orderKeys } from './commands/order-keys.js';
import type { PersonalDataKey } from './purchase-drafts.js';
import { type KeyedOrder, recipientId } from './transfer-recipient.js';

type OrderStream = Stream<Order, OrderEvent>;

type SealedEvents = Readonly<{
  events: readonly OrderEvent[];
  /** The key of an order that had none. It is stored with the events. */
  attachments: Readonly<{ personalDataKey?: PersonalDataKey }>;
}>;

/** A note as stored, with the position of its event. */
export type StoredNote = Readonly<{ position: number; note: string | null; sealed_note?: string | null | undefined }>;

/** What people write about a change of an order. The log holds it sealed under the order's own key, so that erasing reaches it. */
@Injectable()
export class EventNotes {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly policy: CardDataPolicy,
  ) {}

  /** The command with only what may be stored of its texts. @throws DomainError */
  admitted(command: OrderCommand): OrderCommand {
    if (command.type === 'ProposeReplacement') {
      const terms = this.policy.admit('terms', command.tickets.terms);
      return this.withNote({ ...command, tickets: { ...command.tickets, terms } });
    }
    return this.withNote(command);
  }

  /** Whether the events of a command may hold texts that have to be sealed. */
  hasTexts(command: OrderCommand): boolean {
    if (command.type === 'ProposeReplacement' && command.tickets.terms !== null) return true;
    if (command.type === 'SendTransfers' && command.recipient !== undefined) return true;
    return 'note' in command && command.note !== undefined;
  }

  /**
   * The events with sealed notes and terms. Read the stream before, and append them to the same version of it: then no erasure comes between, which
   * would delete the key.
   */
  async seal(stream: OrderStream, events: readonly OrderEvent[]): Promise<SealedEvents> {
    const [sealed] = await this.sealAll([{ stream, events }]);
    return sealed ?? { events, attachments: {} };
  }

  /** The same for several orders, in their order. @param connection of the transaction in which the streams were read */
  async sealAll(
    changes: readonly Readonly<{ stream: OrderStream; events: readonly OrderEvent[] }>[],
    connection: ClientBase | Pool = this.pool,
  ): Promise<SealedEvents[]> {
    const orders = changes.flatMap(({ stream, events }) => (haveTexts(events) ? (orderIdOf(stream.name) ?? []) : []));
    const keys = orders.length > 0 ? await orderKeys(connection, orders) : new Map<string, OrderKey>();
    return changes.map(({ stream, events }) => {
      const orderId = orderIdOf(stream.name);
      if (orderId === undefined || !haveTexts(events)) return { events, attachments: {} };
      return this.sealed({ id: orderId, version: stream.events.length, known: keys.get(orderId) }, events);
    });
  }

  private sealed(
    { id: orderId, version, known }: Readonly<{ id: string; version: number; known: OrderKey | undefined }>,
    events: readonly OrderEvent[],
  ): SealedEvents {
    const key = known?.key ?? this.sealer.newNamedOrderKey();
    const seal = (id: string, text: string) =>
      this.sealer.sealNote(orderId, id, key, text, known?.personal).toString('base64');
    const sealed = events.map((event, index) => {
      if (hasRecipient(event)) {
        const { recipient, ...data } = event.data;
        return {
          ...event,
          data: { ...data, sealed_recipient: seal(recipientId(data.transfers[0]?.id ?? ''), stringifyJson(recipient)) },
        };
      }
      const noted = hasNote(event) ? withSealedNote(event, (note) => seal(noteIdAt(version + index + 1), note)) : event;
      if (!hasTerms(noted)) return noted;
      const { terms, ...data } = noted.data;
      return { ...noted, data: { ...data, terms: null, sealed_terms: seal(termsIdOf(data), terms) } };
    });
    return { events: sealed, attachments: known ? {} : { personalDataKey: { key, digests: NO_BUYER_DIGESTS } } };
  }

  /** The texts by the positions of their events, without those that were erased. */
  async ofStream(events: readonly RecordedEvent<OrderEvent>[]): Promise<ReadonlyMap<number, string>> {
    const orderId = orderIdOf(events[0]?.stream ?? '');
    const isSealed = events.some(({ data }) => 'sealed_note' in data);
    const key = orderId !== undefined && isSealed ? (await orderKeys(this.pool, [orderId])).get(orderId) : undefined;
    const erasedAt = events.findLast(({ type }) => type === 'PersonalDataErased')?.position ?? 0;
    const texts = new Map<number, string>();
    for (const { position, data } of events) {
      if (position < erasedAt) continue;
      const { note = null, sealed_note } = data as Noted;
      const text = openedNote(this.sealer, orderId ?? '', key?.key ?? null, { position, note, sealed_note });
      if (text !== null) texts.set(position, text);
    }
    return texts;
  }

  private withNote<C extends OrderCommand>(command: C): C {
    if (!('note' in command) || command.note === undefined) return command;
    return { ...command, note: this.policy.admit('note', command.note) };
  }
}

function withSealedNote({ data: { note, ...data }, ...event }: NotedEvent, seal: (note: string) => string): OrderEvent {
  return { ...event, data: { ...data, sealed_note: seal(note) } } as OrderEvent;
}

function haveTexts(events: readonly OrderEvent[]): boolean {
  return events.some((event) => hasNote(event) || hasTerms(event) || hasRecipient(event));
}

/** Null if the note was erased, or does not open. */
export function openedNote(sealer: Sealer, orderId: string, key: Buffer | null, stored: StoredNote): string | null {
  const { position, note, sealed_note: sealed } = stored;
  return typeof sealed === 'string' ? openedText(sealer, { orderId, key, id: noteIdAt(position), sealed }) : note;
}

/** The terms of other tickets that were offered. Null if there are none, if they were erased, or do not open. */
export function openedTerms(
  sealer: Sealer,
  { id: orderId, key }: Readonly<{ id: string; key: Buffer | null }>,
  offer: StoredTerms,
): string | null {
  const { terms, sealed_terms: sealed } = offer;
  return typeof sealed === 'string' ? openedText(sealer, { orderId, key, id: termsIdOf(offer), sealed }) : terms;
}

/** The name of the file that proves a transfer. Null if it was erased, or does not open. */
export function openedProofName(
  sealer: Sealer,
  { id: orderId, key }: KeyedOrder,
  { proof, sealed_name: sealed }: Transfer['proofs'][number],
): string | null {
  return openedText(sealer, { orderId, key, id: proofNameId(proof.id), sealed });
}

type SealedText = Readonly<{ orderId: string; key: Buffer | null; id: string; sealed: string }>;

function openedText(sealer: Sealer, { orderId, key, id, sealed }: SealedText): string | null {
  if (!key) return null;
  try {
    return sealer.openNote(orderId, id, key, Buffer.from(sealed, 'base64'));
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

type StoredTerms = Pick<ProposedTickets, 'terms' | 'sealed_terms' | 'expires_at'>;

/** Binds the terms to their offer. */
export const termsIdOf = ({ expires_at }: Pick<ProposedTickets, 'expires_at'>) => `terms/${expires_at}`;

/** Binds the name to its file. */
export const proofNameId = (proofId: string) => `proof/${proofId}`;

/** Binds the note to its event. */
export const noteIdAt = (position: number) => `event/${position}`;

type NotedEvent = OrderEvent & Readonly<{ data: Readonly<{ note: string }> }>;

type EventWithTerms = OrderEvent & Readonly<{ type: 'ReplacementProposed'; data: { terms: string } }>;

type EventWithRecipient = OrderEvent & Readonly<{ type: 'TransferSent'; data: { recipient: TransferRecipient } }>;

function hasRecipient(event: OrderEvent): event is EventWithRecipient {
  return event.type === 'TransferSent' && event.data.recipient !== undefined;
}

function hasTerms(event: OrderEvent): event is EventWithTerms {
  return event.type === 'ReplacementProposed' && event.data.terms !== null;
}

function hasNote(event: OrderEvent): event is NotedEvent {
  return 'note' in event.data && typeof event.data.note === 'string';
}
