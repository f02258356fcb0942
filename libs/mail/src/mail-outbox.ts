import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { MAIL_LEASE_MS, MailRefused, MailTransport } from './mail-transport.js';
import type { MailChange, MailEnd, MailTable, WaitingMails } from './waiting-mails.js';

/** A mail that this process sends. The end of its lease is its fence: a later lease ends later, so what an earlier owner writes late finds no row. */
type Held<Mail extends object> = Readonly<{
  mails: WaitingMails<Mail>;
  rows: readonly [Mail, ...Mail[]];
  key: readonly string[];
  until: Date;
}>;

type Tried = Readonly<{ attempts: number }>;

// 30 s, 1 min, 2 min … at most an hour apart, for about two days: mail servers give up after that, too.
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;
const MOST_ATTEMPTS = 55;

/** Sends all mails. Any number of processes may do so: the rows say who has a mail. */
@Injectable()
export class MailOutbox {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly transport: MailTransport,
  ) {}

  /**
   * Sends the next one of these mails, and returns whether there was one.
   * @throws what the mail server says, unless the table keeps it
   */
  async send<Mail extends object>(mails: WaitingMails<Mail>, asked: readonly unknown[] = []): Promise<boolean> {
    const claimed = await this.claim(mails, asked);
    if (!claimed) return false;
    const held = mails.isAccepted?.(claimed.rows[0]) ? claimed : await this.transmit(claimed);
    if (held) await this.end(held, { state: 'sent', error: null });
    return true;
  }

  private async claim<Mail extends object>(mails: WaitingMails<Mail>, asked: readonly unknown[]) {
    const now = this.clock.now();
    const until = new Date(now + MAIL_LEASE_MS);
    const { rows } = await this.pool.query<Mail>(claimIn(mails.table), [new Date(now), until, ...asked]);
    const [mail, ...others] = rows;
    if (!mail) return undefined;
    const columns = new Map(Object.entries(mail));
    const key = mails.table.key.map((column) => String(columns.get(column)));
    return { mails, rows: [mail, ...others], key, until } as const;
  }

  /** Undefined if it did not go out, or another process has it now. */
  private async transmit<Mail extends object>(claimed: Held<Mail>): Promise<Held<Mail> | undefined> {
    const { mails, rows } = claimed;
    const composed = await mails.compose(rows);
    if ('reason' in composed) {
      return await this.end(claimed, { state: 'skipped', error: composed.reason });
    }
    // What came before may have taken long, as in a process that was frozen.
    const begun = await this.renewed(claimed, 1);
    if (!begun) return undefined;
    try {
      await this.transport.send(composed);
    } catch (error) {
      return await this.failed(begun, error as Error);
    }
    const change = await mails.accepted?.(rows[0], composed);
    return change === undefined || (await this.write(begun, change)) ? begun : undefined;
  }

  private async failed<Mail extends object>(held: Held<Mail> & Tried, error: Error): Promise<undefined> {
    const { mails, attempts } = held;
    if (error instanceof MailRefused || attempts >= MOST_ATTEMPTS) {
      const renewed = await this.renewed(held, 0);
      const reply = error instanceof MailRefused ? error.reply : error.message;
      if (renewed) await this.end(renewed, { state: 'refused', error: reply });
    } else {
      const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
      const until = new Date(this.clock.now() + waitMs);
      const { name, leasedUntil } = mails.table;
      const waits = { sql: `update ${name} set ${leasedUntil} = $3`, values: [until] };
      await this.write(held, mails.putOff?.(until, error.message) ?? waits);
    }
    if (!mails.putOff) throw error;
  }

  private async end<Mail extends object>(held: Held<Mail>, end: MailEnd): Promise<undefined> {
    const { mails, rows } = held;
    if (end.state !== 'skipped') await mails.tell?.(rows[0], end);
    await this.write(held, mails.ended(rows[0], end));
  }

  /** With a lease from now on, and one more attempt or none. Undefined if another process has the mail, or it has ended. */
  private async renewed<Mail extends object>(held: Held<Mail>, attempts: 0 | 1) {
    const { name, leasedUntil } = held.mails.table;
    const until = new Date(this.clock.now() + MAIL_LEASE_MS);
    const sql = `update ${name} set ${leasedUntil} = $3, attempts = attempts + $4`;
    const tried = await this.write(held, { sql, values: [until, attempts] });
    return tried && { ...held, until, ...tried };
  }

  /** Undefined if the lease was lost. Then nothing is written. */
  private async write<Mail extends object>(held: Held<Mail>, change: MailChange): Promise<Tried | undefined> {
    const { key, leasedUntil } = held.mails.table;
    const { sql, values = [] } = change;
    const isIt = key.map((column, at) => `${column} = ($2::text[])[${at + 1}]`).join(' and ');
    const statement = `${sql} where ${leasedUntil} = $1 and ${isIt} returning attempts`;
    return (await this.pool.query<Tried>(statement, [held.until, held.key, ...values])).rows[0];
  }
}

/** $1: now, $2: the end of the lease. */
function claimIn({ name, key, rowKey = key, leasedUntil, next, claimed }: MailTable): string {
  const keyOf = (table: string) => `(${rowKey.map((column) => `${table}.${column}`).join(', ')})`;
  return `
    with due as (${next})
    update ${name} mail set ${[`${leasedUntil} = $2`, ...(claimed === undefined ? [] : [claimed])].join(', ')}
    from due where ${keyOf('mail')} = ${keyOf('due')}
    returning due.*, mail.*`;
}
