import { Inject, Injectable } from '@nestjs/common';
import { Sealer } from '#crypto/sealing';
import { Clock } from '#runtime/clock';
import { DatabaseClock } from '#database/database-clock';
import { type OperatorCredentials, Operators } from './operators.js';
import { Passwords } from './passwords.js';
import { type Guess, SignInLimiter, type SignInTry } from './sign-in-limiter.js';
import { stepOfCode, totpPlace } from './totp.js';

export type SignInRequest = Readonly<{
  email: string;
  password: string;
  code?: string | null | undefined;
}> &
  Pick<Guess, 'address' | 'browserNote'>;

/** The operator's id, or why nobody was signed in. */
export type SignInResult =
  | Readonly<{ is: 'signed in'; operatorId: string }>
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
    private readonly sealer: Sealer,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async check({ email, password, code, address, browserNote }: SignInRequest): Promise<SignInResult> {
    const found = await this.operators.credentials({ email });
    const person = found ? { id: found.id } : { email };
    const counted = await this.limiter.beginSignIn({ person, address, browserNote });
    if ('retryAfterS' in counted) return { is: 'too many', operatorId: found?.id, ...counted };
    const matches = await this.limiter.check(counted, () =>
      this.passwords.matches(password, found?.passwordHash ?? undefined),
    );
    const wrong = { is: 'wrong', operatorId: found?.id } as const;
    if (!found || !matches) return wrong;
    if (found.totp) {
      if (!code) return await this.askForCode(counted);
      if (!(await this.isCodeOf(found, code))) return wrong;
    }
    await this.limiter.succeed(counted);
    return { is: 'signed in', operatorId: found.id };
  }

  /** Returns whether the code is right and unused, and uses it up. */
  async isCodeOf(operator: OperatorCredentials, code: string): Promise<boolean> {
    if (!operator.totpSecret) return false;
    const secret = this.sealer.open('totp-secret', totpPlace(operator.id), operator.totpSecret);
    const step = stepOfCode(code, secret, this.clock.now(), operator.totpLastStep);
    return step !== undefined && (await this.operators.useTotpStep(operator.id, step));
  }

  private async askForCode(counted: SignInTry): Promise<SignInResult> {
    await this.limiter.takeBack(counted);
    return { is: 'code needed' };
  }
}
