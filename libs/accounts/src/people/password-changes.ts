import { Injectable } from '@nestjs/common';
import type { ChangedBy } from './changed-by.js';
import { type Operator, Operators } from '../operators.js';
import { Passwords } from './passwords.js';
import { type Guess, SignInLimiter } from './sign-in-limiter.js';

/** Sets passwords: one's own, that of somebody else, and the first one by an invitation. */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly operators: Operators,
    private readonly passwords: Passwords,
    private readonly limiter: SignInLimiter,
  ) {}

  /** @throws PasswordTooShort, PasswordsBusy */
  hash(password: string): Promise<string> {
    return this.passwords.hash(password);
  }

  /** Returns whether this is the operator's password. A wrong one counts as a failed sign-in, so a stolen session cannot try many. */
  async isCurrent(
    id: string,
    password: string,
    from: Pick<Guess, 'address' | 'browserNote'>,
  ): Promise<boolean | { retryAfterS: number }> {
    const found = await this.operators.credentials({ id });
    const counted = await this.limiter.beginSignIn({ person: { id }, ...from });
    if ('retryAfterS' in counted) return counted;
    const compare = () => this.passwords.matches(password, found?.passwordHash ?? undefined);
    if (!(await this.limiter.check(counted, compare))) return false;
    await this.limiter.takeBack(counted);
    return true;
  }

  async set(id: string, passwordHash: string, by: ChangedBy): Promise<void> {
    await this.operators.setPassword(id, passwordHash, by);
  }

  /**
   * Undefined for an invitation that is unknown, used or expired. Nothing is hashed then, and the try counts as a failure of the address: not as
   * a failed sign-in, so that old links do not keep an office from signing in.
   */
  async acceptInvitation(
    token: string,
    password: string,
    address: string,
  ): Promise<Operator | { retryAfterS: number } | undefined> {
    const counted = await this.limiter.begin([`invitations ${address}`]);
    if ('retryAfterS' in counted) return counted;
    const operator = await this.limiter.check(counted, async () => {
      if (!(await this.operators.isInvited(token))) return undefined;
      return await this.operators.acceptInvitation(token, await this.passwords.hash(password));
    });
    if (operator) await this.limiter.takeBack(counted);
    return operator;
  }
}
