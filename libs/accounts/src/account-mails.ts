import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';

/** What changed in the account of a person, who is told. */
export type AccountChange =
  'password' | 'email' | 'authenticator' | 'authenticator_removed' | 'recovery_codes' | 'recovery_code_used';

export type NewAccountMail = Readonly<{
  id: string;
  email: string;
  change: AccountChange;
  /** ISO 8601. */
  at: string;
  /** Whether it was done in a session of the person. */
  bySelf: boolean;
}>;

export type LeasedAccountMail = Omit<NewAccountMail, 'at'> & Readonly<{ at: Date; leaseUntil: Date }>;

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

/** The mails to people about changes of their accounts that were not sent yet. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** The oldest one that nobody else sends. Nobody does for so long. */
  async lease(forMs: number): Promise<LeasedAccountMail | undefined> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<LeasedAccountMail>(LEASE, [new Date(now), new Date(now + forMs)]);
    return rows[0];
  }

  /** It is sent, or never will be. Does nothing if another process has it now. */
  async end({ id, leaseUntil }: LeasedAccountMail): Promise<void> {
    await this.pool.query('delete from account_mails where id = $1 and lease_until = $2', [id, leaseUntil]);
  }
}

const LEASE = `
  update account_mails set lease_until = $2
  where id = (
    select id from account_mails where lease_until is null or lease_until <= $1
    order by at, id limit 1 for update skip locked)
  returning id, email, change, at, by_self as "bySelf", lease_until as "leaseUntil"`;
