import type { OrderLine } from './order-line.contract.js';
import type { OrderSealer } from '#base/sealing';
import type { KnownOrder } from '#domain/order-state';
import { type BuyerDigests, buyerDigests, NO_BUYER_DIGESTS } from '#orders/buyer-digests';
import { noteIdAt, proofNameId, termsIdOf } from '#orders/event-notes';
import { recipientId } from '#orders/transfer-recipient';
import { needsKey } from '#orders/personal-data-keys.projection';
import type { PersonalData } from '#orders/purchase-drafts';
import { type ImportRules, LineRefusal } from './import-rules.js';

/** Null if nothing of the order is sealed. */
export type ImportedKey = Readonly<{ key: Buffer; digests: BuyerDigests }> | null;

/** Where people and markets write what they like. */
const FREE_FIELDS = ['note', 'terms', 'market_specific_fields'];

/** Seals what stands in clear in a line under one key, which the order gets here. `shift`: from the event in the line to its position. */
export class ImportSealing {
  readonly #erasedAt: number;
  #key: Buffer | undefined;
  #sealer: OrderSealer | undefined;
  #buyer: PersonalData | undefined;

  constructor(
    private readonly line: OrderLine,
    private readonly rules: ImportRules,
    private readonly shift: number,
  ) {
    this.#erasedAt = line.events.findLastIndex(({ type }) => type === 'PersonalDataErased') + shift;
  }

  /** The data of an event as it is stored. */
  sealed(given: unknown, position: number): object {
    const data = { ...(given as Record<string, unknown>) };
    for (const field of FREE_FIELDS) {
      if (field in data) data[field] = this.admitted(data[field], position, field);
    }
    const { personal } = data;
    if (isObject(personal)) {
      const { market_specific_fields: fields } = personal as PersonalData;
      const admitted = fields && this.admitted(fields, position, 'personal.market_specific_fields');
      this.#buyer = { ...(personal as PersonalData), ...(admitted && { market_specific_fields: admitted }) };
      data['personal'] = this.sealer.personal(this.#buyer).toString('base64');
    } else if (personal !== null) this.checkErased(personal, position, 'personal');
    this.sealText(data, 'sealed_note', position, noteIdAt(position));
    this.sealText(data, 'sealed_terms', position, termsIdOf({ expires_at: String(data['expires_at']) }));
    const [first] = Array.isArray(data['transfers']) ? (data['transfers'] as unknown[]) : [];
    this.sealText(data, 'sealed_recipient', position, recipientId(isObject(first) ? String(first['id']) : ''));
    const { proof } = data;
    this.sealText(data, 'sealed_name', position, proofNameId(isObject(proof) ? String(proof['id']) : ''));
    return data;
  }

  private sealText(data: Record<string, unknown>, field: string, position: number, id: string): void {
    const given = data[field];
    if (!isObject(given)) return this.checkErased(given, position, field);
    const text = this.admitted((given as { text: string }).text, position, field);
    data[field] = this.sealer.note(id, text).toString('base64');
  }

  keyOf(order: KnownOrder): ImportedKey {
    if (!needsKey(order)) return null;
    const { sealer } = this.rules;
    return {
      key: this.key,
      digests: this.#buyer && !order.personalDataErased ? buyerDigests(sealer, this.#buyer) : NO_BUYER_DIGESTS,
    };
  }

  /** What is sealed already opens nowhere, which is right only for what was erased. */
  private checkErased(value: unknown, position: number, field: string): void {
    if (value === undefined || position < this.#erasedAt) return;
    throw new LineRefusal(
      `events.${position - this.shift}.data.${field}: is sealed with the key of another installation`,
    );
  }

  private admitted<T>(value: T, position: number, field: string): T {
    const { cards } = this.rules;
    if (!cards.refuses(value)) return cards.storable(value);
    throw new LineRefusal(
      `events.${position - this.shift}.data.${field}: must not contain a card number or a security code`,
    );
  }

  private get sealer(): OrderSealer {
    return (this.#sealer ??= this.rules.sealer.orderSealer(this.line.id, this.key));
  }

  /** It says itself which ENCRYPTION_KEY it belongs to. */
  private get key(): Buffer {
    return (this.#key ??= this.rules.sealer.newNamedOrderKey());
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
