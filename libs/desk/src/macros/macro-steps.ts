import { Injectable } from '@nestjs/common';
import type { Caller } from '#accounts/caller';
import { MailRequests } from '#fulfilment/mail-requests';
import { OrderNotes } from '#orders/order-notes';
import { orNotFound } from '#web/http-error';
import type { MacroStep } from '../macro.contract.js';
import { Snoozes } from '../queues/snoozes.js';
import { MacroDesk } from './macro-desk.js';
import type { StepEnd } from './macro-step-end.js';

/** Does one step of a macro, by what does it alone too. */
@Injectable()
export class MacroSteps {
  constructor(
    private readonly desk: MacroDesk,
    private readonly notes: OrderNotes,
    private readonly mails: MailRequests,
    private readonly snoozes: Snoozes,
  ) {}

  /** @throws HttpError or DomainError if it is refused */
  async apply(orderId: string, step: MacroStep, caller: Caller): Promise<StepEnd> {
    switch (step.type) {
      case 'tag':
        return await this.desk.tag(orderId, step);
      case 'assign_me':
        return await this.desk.assignMe(orderId, caller);
      case 'note': {
        const { text, visibility } = step;
        const note = orNotFound(await this.notes.add(orderId, { text, visibility, author: caller.actor }), 'order');
        return { outcome: 'done', action: 'order.noted', detail: { note: note.id, visibility } };
      }
      case 'mail': {
        const mail = await this.mails.request(orderId, step.kind, caller.actor);
        return { outcome: 'done', action: 'mail.requested', detail: { mail, kind: step.kind } };
      }
      case 'snooze': {
        const until = orNotFound(await this.snoozes.snoozeFor(orderId, step.minutes), 'order');
        return { outcome: 'done', action: 'order.snoozed', detail: { until } };
      }
    }
  }
}
