import { Injectable } from '@nestjs/common';
import type { RenderedMail } from '#mail/mail-page';
import { MailComposer } from './mail/mail-composer.js';
import type { MailKind } from './mail-templates.js';

/** The e-mails to buyers, about an order that nobody placed. */
@Injectable()
export class BuyerMailSamples {
  constructor(private readonly composer: MailComposer) {}

  all(): Readonly<Record<MailKind, RenderedMail>> {
    return this.composer.samples();
  }
}
