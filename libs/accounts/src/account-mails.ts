import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { Settings } from '#base/settings';
import { htmlOf } from '#mail/mail-html';
import { MailOutbox } from '#mail/mail-outbox';
import type { RenderedMail } from '#mail/mail-page';
import { isFree, type MailChange, type WaitingMails } from '#mail/waiting-mails';
import type { OutgoingMail } from '#mail/mail-transport';

const WHAT = {
  password: 'The password of your Willcall account was changed',
  email: 'The e-mail address of your Willcall account was changed',
  authenticator: 'An authenticator app was set up for your Willcall account',
  authenticator_removed: 'The authenticator app of your Willcall account was removed',
  recovery_codes: 'New recovery codes were made for your Willcall account',
  recovery_code_used: 'A recovery code of your Willcall account was used',
} as const;

/** What changed in the account of a person, who is told. */
export type AccountChange = keyof typeof WHAT;

type NewAccountMail = Readonly<{
  id: string;
  email: string;
  change: AccountChange;
  /** ISO 8601. */
  at: string;
  /** Whether it was done in a session of the person. */
  bySelf: boolean;
}>;

type AccountMail = Readonly<{ id: string; email: string; change: AccountChange; at: Date; by_self: boolean }>;

/** Has the worker tell the person. @param client of the transaction that makes the change */
export async function tellOfChange(
  client: ClientBase,
  { id, email, change, at, bySelf }: NewAccountMail,
): Promise<void> {
  await client.query('insert into account_mails (id, email, change, at, by_self) values ($1, $2, $3, $4, $5)', [
    id,
    email,
    change,
    at,
    bySelf,
  ]);
}

/** Tells people what changed in their accounts, so that they notice when it was somebody else. A row is a mail that was not sent yet. */
@Injectable()
export class AccountMails implements WaitingMails<AccountMail> {
  readonly table = {
    name: 'account_mails',
    key: ['id'],
    leasedUntil: 'lease_until',
    next: `select id from account_mails where ${isFree('lease_until')} order by at, id limit 1 for update skip locked`,
  };

  constructor(
    private readonly outbox: MailOutbox,
    private readonly settings: Settings,
  ) {}

  /** Sends one mail, and returns whether there was one. */
  async step(): Promise<boolean> {
    return await this.outbox.send(this);
  }

  compose([{ id, email, ...changed }]: readonly [AccountMail]): OutgoingMail {
    return { id, to: email, ...accountMail(changed, this.settings.PUBLIC_URL) };
  }

  ended(): MailChange {
    return { sql: 'delete from account_mails' };
  }
}

/** What it says. @param publicUrl where the console is */
export function accountMail(
  { change, at, by_self: bySelf }: Pick<AccountMail, 'change' | 'at' | 'by_self'>,
  publicUrl: string,
): RenderedMail {
  const subject = WHAT[change];
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const text = [
    `${subject} on ${time}, ${bySelf ? 'by somebody who was signed in as you' : 'by an administrator'}.`,
    'If you know about it, you need not do anything. If not, tell an administrator at once.',
    `Your account: ${publicUrl}/account`,
  ].join('\n\n');
  return { subject, text, html: htmlOf(text) };
}
