import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { type AccountChange, AccountMails, type LeasedAccountMail } from '#accounts/account-mails';
import { htmlOf } from '../mail-templates.js';
import { MAIL_LEASE_MS, MailRefused, MailTransport, type RenderedMail } from '#platform/mail-transport';

const WHAT: Readonly<Record<AccountChange, string>> = {
  password: 'The password of your Willcall account was changed',
  email: 'The e-mail address of your Willcall account was changed',
  authenticator: 'An authenticator app was set up for your Willcall account',
  authenticator_removed: 'The authenticator app of your Willcall account was removed',
  recovery_codes: 'New recovery codes were made for your Willcall account',
  recovery_code_used: 'A recovery code of your Willcall account was used',
};

/** Tells people what changed in their accounts, so that they notice when it was somebody else. */
@Injectable()
export class AccountMailSending {
  constructor(
    private readonly mails: AccountMails,
    private readonly transport: MailTransport,
    private readonly settings: Settings,
  ) {}

  /** Sends one mail, and returns whether there was one. Throws what the mail server says; then it is tried again after two minutes. */
  async step(): Promise<boolean> {
    const mail = await this.mails.lease(MAIL_LEASE_MS);
    if (!mail) return false;
    try {
      await this.transport.send({ id: mail.id, to: mail.email, ...this.written(mail) });
    } catch (error) {
      // The server will never take it.
      if (error instanceof MailRefused) await this.mails.end(mail);
      throw error;
    }
    await this.mails.end(mail);
    return true;
  }

  private written({ change, at, bySelf }: LeasedAccountMail): RenderedMail {
    const subject = WHAT[change];
    const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const text = [
      `${subject} on ${time}, ${bySelf ? 'by somebody who was signed in as you' : 'by an administrator'}.`,
      'If you know about it, you need not do anything. If not, tell an administrator at once.',
      `Your account: ${this.settings.PUBLIC_URL}/account`,
    ].join('\n\n');
    return { subject, text, html: htmlOf(text) };
  }
}
