import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer, UnsealError } from '#base/sealing';
import { Ids } from '#base/ids';
import { CardDataPolicy } from './card-data-policy.js';
import { type OrderKey, orderKeys } from './commands/order-keys.js';

/** How the audit log keeps a reason: sealed under the order's own key. */
export type SealedReason = Readonly<{ reason_id: string; sealed_reason: string }>;

type Entry = Readonly<{ subject: string; detail: Readonly<Record<string, unknown>> }>;

const SUBJECT = 'order:';

/**
 * Why somebody looked at a buyer's data. People write names and addresses there, so the audit log, which nobody can change, holds it sealed, and
 * erasing the buyer's data reaches it.
 */
@Injectable()
export class RevealReasons {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly ids: Ids,
    private readonly policy: CardDataPolicy,
  ) {}

  /** Undefined if the order has no buyer's data. @throws DomainError if the text has card data and the settings refuse it */
  async seal(orderId: string, given: string): Promise<SealedReason | undefined> {
    const reason = this.policy.admit('reason', given);
    const key = (await orderKeys(this.pool, [orderId])).get(orderId);
    if (!key) return undefined;
    const id = this.ids.next('not');
    const sealed = this.sealer.sealNote(orderId, id, key.key, reason, key.personal);
    return { reason_id: id, sealed_reason: sealed.toString('base64') };
  }

  /** The entries with their reasons in clear, or null after an erasure. Those of earlier releases were never sealed, and stay. */
  async opened<E extends Entry>(entries: readonly E[]): Promise<E[]> {
    const sealed = entries.filter(({ detail }) => 'sealed_reason' in detail);
    if (sealed.length === 0) return [...entries];
    const keys = await orderKeys(this.pool, sealed.map(orderIdOf));
    return entries.map((entry) => {
      const { sealed_reason: sealedReason, reason_id: id, ...detail } = entry.detail;
      if (typeof sealedReason !== 'string' || typeof id !== 'string') return entry;
      const reason = this.open(orderIdOf(entry), id, keys.get(orderIdOf(entry)), sealedReason);
      return { ...entry, detail: { ...detail, reason } };
    });
  }

  private open(orderId: string, id: string, key: OrderKey | undefined, sealed: string): string | null {
    if (!key) return null;
    try {
      return this.sealer.openNote(orderId, id, key.key, Buffer.from(sealed, 'base64'));
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}

const orderIdOf = ({ subject }: Entry) => subject.slice(SUBJECT.length);
