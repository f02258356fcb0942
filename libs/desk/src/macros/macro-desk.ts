import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Caller, operatorIdOf } from '#accounts/caller';
import { inTransaction } from '#database/transaction';
import { domainError } from '#domain/domain-error';
import { OrderDesk } from '#orders/order-desk';
import { DeskBatch, tagsAfter } from '../jobs/desk-batch.js';
import type { MacroStep } from '../macro.contract.js';
import type { StepEnd } from './macro-step-end.js';

/** The steps that change what is recorded beside an order. */
@Injectable()
export class MacroDesk {
  constructor(
    private readonly pool: Pool,
    private readonly batch: DeskBatch,
    private readonly desk: OrderDesk,
  ) {}

  /** @throws DomainError if the order would have too many tags */
  async tag(orderId: string, { add = [], remove = [] }: Extract<MacroStep, { type: 'tag' }>): Promise<StepEnd> {
    const change = { kind: 'tag', add, remove } as const;
    const [result] = await inTransaction(this.pool, (client) =>
      this.batch.apply(client, [{ order_id: orderId }], change),
    );
    if (result?.outcome === 'refused') throw domainError('CONFLICT', result.reason ?? 'the tags cannot be changed');
    if (result?.outcome !== 'done') return { outcome: 'unchanged' };
    const { tags = [] } = (result.before ?? {}) as { tags?: readonly string[] };
    return { outcome: 'done', action: 'order.tagged', detail: { tags: tagsAfter(tags, change) } };
  }

  /** The caller is a person, as `refusalOfSteps` has made sure. */
  async assignMe(orderId: string, caller: Caller): Promise<StepEnd> {
    const assignee = operatorIdOf(caller) ?? null;
    if (!(await this.desk.assign(orderId, { assignee, by: caller.actor }))) return { outcome: 'unchanged' };
    return { outcome: 'done', action: 'order.assigned', detail: { assignee } };
  }
}
