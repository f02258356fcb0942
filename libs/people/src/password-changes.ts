import { Injectable } from '@nestjs/common';
import { Sealer } from '#crypto/sealing';
import { type Operator, Operators } from './operators.js';
import { Passwords } from './passwords.js';
import { SignInLimiter } from './sign-in-limiter.js';

/** Sets passwords: one's own, that of somebody else, and the first one by an invitation. */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly operators: Operators,
    private readonly passwords: Passwords,
    private readonly limiter: SignInLimiter,
    private readonly sealer: Sealer,
  ) {}

  hash(password: string): Promise<string> {
    return this.passwords.hash(password);
  }

  /** Returns whether this is the operator's password. A wrong one counts as a failed sign-in, so a stolen session cannot try many. */
  async isCurrent(id: string, password: string, address: string): Promise<boolean | { retryAfterS: number }> {
    const found = await this.operators.credentials({ id });
    const person = this.sealer.emailDigest(found?.email ?? id).toString('hex');
    const counted = await this.limiter.begin(person, address);
    if ('retryAfterS' in counted) return counted;
    if (!(await this.passwords.matches(password, found?.passwordHash ?? undefined))) return false;
    await this.limiter.takeBack(counted);
    return true;
  }

  /** @param keepSession the digest of the one session that does not end. */
  async set(id: string, password: string, keepSession?: Buffer): Promise<void> {
    await this.operators.setPassword(id, await this.passwords.hash(password), keepSession);
  }

  /** Undefined for an invitation that is unknown, used or expired. */
  async acceptInvitation(token: string, password: string): Promise<Operator | undefined> {
    return await this.operators.acceptInvitation(token, await this.passwords.hash(password));
  }
}
