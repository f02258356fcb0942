import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type AuditedAction, AuditLog } from '#accounts/audit-log';
import type { Caller } from '#accounts/caller';
import { DomainError } from '#domain/domain-error';
import { answerTo } from '#web/domain-answers';
import { HttpError } from '#web/http-error';
import type { MacroStepResult } from '../macro.contract.js';
import { MacroSteps } from './macro-steps.js';
import type { StoredMacro } from './macros.js';

/** Who applies a macro, and by which request. */
export type MacroRequest = Readonly<{ caller: Caller }> & Pick<AuditedAction, 'transactionId' | 'address'>;

/** Does the steps of a macro to an order, one after the other. */
@Injectable()
export class MacroRunner {
  constructor(
    private readonly pool: Pool,
    private readonly steps: MacroSteps,
    private readonly audit: AuditLog,
  ) {}

  /** Undefined if there is no such order. After a refusal the rest is skipped: a note must not say what was not done. */
  async run(orderId: string, macro: StoredMacro, by: MacroRequest): Promise<MacroStepResult[] | undefined> {
    const { rowCount } = await this.pool.query('select from orders where id = $1', [orderId]);
    if (rowCount === 0) return undefined;
    const results: MacroStepResult[] = [];
    for (const step of macro.steps) {
      const isOver = results.some(({ outcome }) => outcome === 'refused');
      results.push(isOver ? { type: step.type, outcome: 'skipped' } : await this.step(orderId, macro, { step, by }));
    }
    return results;
  }

  private async step(
    orderId: string,
    macro: StoredMacro,
    { step, by }: Readonly<{ step: StoredMacro['steps'][number]; by: MacroRequest }>,
  ): Promise<MacroStepResult> {
    try {
      const end = await this.steps.apply(orderId, step, by.caller);
      const { caller, ...request } = by;
      if (end.outcome === 'done') {
        const { action, detail } = end;
        const subject = `order:${orderId}`;
        await this.audit.record({
          ...request,
          actor: caller.actor,
          action,
          subject,
          detail: { ...detail, macro: macro.id },
        });
      }
      return { type: step.type, outcome: end.outcome };
    } catch (error) {
      const refusal = error instanceof DomainError ? answerTo(error) : error;
      if (!(refusal instanceof HttpError) || refusal.status >= 500) throw error;
      return { type: step.type, outcome: 'refused', errors: refusal.body.errors };
    }
  }
}
