import { Injectable } from '@nestjs/common';
import { type OperatorCredentials, Operators } from '../operators.js';
import { Passwords } from './passwords.js';
import { SecondFactors } from './second-factors.js';
import { type Guess, SignInLimiter, type SignInTry } from './sign-in-limiter.js';

type Given = Readonly<{ password: string; code?: string | null | undefined }> & Pick<Guess, 'address' | 'browserNote'>;

export type SignInRequest = Given & Readonly<{ email: string }>;

/** The operator's id, or why nobody was signed in. */
export type SignInResult =
  | Readonly<{ is: 'signed in'; operatorId: string; byRecoveryCode: boolean }>
  /** The operator, if the e-mail address is that of one. */
  | Readonly<{ is: 'wrong'; operatorId?: string | undefined }>
  | Readonly<{ is: 'code needed' }>
  | Readonly<{ is: 'too many'; operatorId?: string | undefined; retryAfterS: number }>;

/** Checks e-mail address, password and code. A failure does not say which of the three was wrong, and takes the same work. */
@Injectable()
export class SignIn {
  constructor(
    private readonly operators: Operators,
    private readonly passwords: Passwords,
    private readonly limiter: SignInLimiter,
    private readonly secondFactors: SecondFactors,
  ) {}

  async check({ email, ...given }: SignInRequest): Promise<SignInResult> {
    const found = await this.operators.credentials({ email });
    return await this.#checked(found, found ? { id: found.id } : { email }, given);
  }

  /** Whether somebody who is signed in is that person. Failures count as those of a sign-in, so a stolen session cannot try many. */
  async confirm({ operatorId, ...given }: Given & Readonly<{ operatorId: string }>): Promise<SignInResult> {
    const found = await this.operators.credentials({ id: operatorId });
    return await this.#checked(found, { id: operatorId }, given);
  }

  async #checked(
    found: OperatorCredentials | undefined,
    person: Guess['person'],
    { password, code, address, browserNote }: Given,
  ): Promise<SignInResult> {
    const counted = await this.limiter.beginSignIn({ person, address, browserNote });
    if ('retryAfterS' in counted) return { is: 'too many', operatorId: found?.id, ...counted };
    const matches = await this.limiter.check(counted, () =>
      this.passwords.matches(password, found?.passwordHash ?? undefined),
    );
    const wrong = { is: 'wrong', operatorId: found?.id } as const;
    if (!found || !matches) return wrong;
    if (found.totp && !code) return await this.#askForCode(counted);
    const used = found.totp && code ? await this.secondFactors.use(found, code) : undefined;
    if (found.totp && used === undefined) return wrong;
    await this.limiter.succeed(counted);
    return { is: 'signed in', operatorId: found.id, byRecoveryCode: used === 'recovery' };
  }

  async #askForCode(counted: SignInTry): Promise<SignInResult> {
    await this.limiter.takeBack(counted);
    return { is: 'code needed' };
  }
}
