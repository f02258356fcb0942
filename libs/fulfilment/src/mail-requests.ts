import { Injectable } from '@nestjs/common';
import { HttpError, orNotFound } from '#web/http-error';
import { MailComposer } from './mail/mail-composer.js';
import type { MailKind } from './mail-templates.js';
import { Mails, type StoredMail } from './mails.js';

/** The mails of an order for staff, who ask for more. The worker sends them. */
@Injectable()
export class MailRequests {
  constructor(
    private readonly mails: Mails,
    private readonly composer: MailComposer,
  ) {}

  /** Newest last. */
  ofOrder(orderId: string): Promise<StoredMail[]> {
    return this.mails.ofOrder(orderId);
  }

  /** @returns the id of the mail @throws HttpError if there is no such order, or nothing to send */
  async request(orderId: string, kind: MailKind, actor: string): Promise<string> {
    const composed = await this.composer.compose(orderId, { kind });
    if ('reason' in composed) throw mailRefusal(composed.reason);
    return orNotFound(await this.mails.request(orderId, kind, actor), 'order');
  }
}

/** The answer where `MailComposer` has nothing to send. */
export function mailRefusal(reason: string): HttpError {
  return reason === 'there is no such order' ? HttpError.notFound('order') : HttpError.with(40902, reason);
}
