import { Injectable } from '@nestjs/common';
import { accountMailSamples } from '#accounts/account-mail-samples';
import { Settings } from '#base/settings';
import { BuyerMailSamples } from '#fulfilment/buyer-mail-samples';
import { MAIL_KINDS } from '#fulfilment/mail.contract';
import { type RenderedMail, signedMail } from '#mail/mail-page';
import { type MailTemplatePreview, STAFF_MAIL_KINDS } from '../mail-template.contract.js';
import { escalationMail } from '../queues/escalation-notices.js';
import { reportMailSample } from '../reports/report-mail-sample.js';

const ESCALATED = { queue: 'to_ship', name: null, order_id: 'ord_0123456789abcdef0123456789abcdef' };

/** Every e-mail as it would go out, with invented data. */
@Injectable()
export class MailSamples {
  constructor(
    private readonly buyers: BuyerMailSamples,
    private readonly settings: Settings,
  ) {}

  all(): MailTemplatePreview[] {
    const { PUBLIC_URL } = this.settings;
    const mails: Readonly<Record<MailTemplatePreview['id'], RenderedMail>> = {
      ...this.buyers.all(),
      ...accountMailSamples(PUBLIC_URL),
      escalation: escalationMail([ESCALATED], PUBLIC_URL),
      report: reportMailSample(PUBLIC_URL),
    };
    return [...MAIL_KINDS, ...STAFF_MAIL_KINDS].map((id) => ({ id, ...signedMail(mails[id], this.settings) }));
  }
}
