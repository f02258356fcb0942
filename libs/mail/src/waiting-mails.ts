import type { OutgoingMail } from './mail-transport.js';

/** A mail ends as `refused` if the mail server never takes it, and as `skipped` if there is nobody to send it to, or nothing to send. */
export type MailEnd = Readonly<{ state: 'sent' | 'refused' | 'skipped'; error: string | null }>;

/** A mail, or why there is none. */
type Composed = OutgoingMail | Readonly<{ reason: string }>;

/** An `update` or `delete` without its condition. $1 and $2 are those of the outbox; its own values begin with $3. */
export type MailChange = Readonly<{ sql: string; values?: readonly unknown[] }>;

/** Where the mails of a kind wait. The table also has the column `attempts`. */
export type MailTable = Readonly<{
  name: string;
  /** The text columns that name a mail once it is claimed. Several rows may be one mail. */
  key: readonly string[];
  /** The primary key, if that is another one. */
  rowKey?: readonly string[];
  /** The column with the end of a lease. */
  leasedUntil: string;
  /** SQL for the rows of the next mail, locked: their primary key, and columns of other tables. $1 is the time now; `asked` begins with $3. */
  next: string;
  /** What a claim sets beside the lease, as assignments in SQL. */
  claimed?: string;
}>;

/** What one kind of mail says, and what its table remembers. How a mail is claimed, sent, tried again and given up is the same for all. */
export interface WaitingMails<Mail extends object> {
  readonly table: MailTable;
  compose(rows: readonly [Mail, ...Mail[]]): Composed | Promise<Composed>;
  ended(mail: Mail, end: MailEnd): MailChange;
  /** Whether the mail server has the mail already, and an earlier process died before `tell` was done. */
  isAccepted?(mail: Mail): boolean;
  /** Remembers that the mail server has the mail. Without it, a mail whose process dies now is sent again. */
  accepted?(mail: Mail, sent: OutgoingMail): Promise<MailChange>;
  /** Tells others that the mail was sent or refused. It may happen twice. */
  tell?(mail: Mail, end: MailEnd): Promise<void>;
  /** Remembers the error too. Otherwise only the lease goes on, and the error is thrown. */
  putOff?(until: Date, error: string): MailChange;
}

/** SQL: nobody sends the mail. */
export const isFree = (leasedUntil: string): string => `(${leasedUntil} is null or ${leasedUntil} <= $1::timestamptz)`;
