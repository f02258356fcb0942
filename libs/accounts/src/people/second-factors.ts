import { Inject, Injectable } from '@nestjs/common';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { Authenticators } from './authenticators.js';
import type { OperatorCredentials } from '../operators.js';
import { RecoveryCodes } from './recovery-codes.js';
import { stepOfCode, totpPlace } from '../totp.js';

/** Checks the codes of authenticator apps, and recovery codes. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly authenticators: Authenticators,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly sealer: Sealer,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** What kind of code this is, if it is right and unused. Uses it up. */
  async use(operator: OperatorCredentials, code: string): Promise<'app' | 'recovery' | undefined> {
    if (!operator.totpSecret) return undefined;
    const secret = this.sealer.open('totp-secret', totpPlace(operator.id), operator.totpSecret);
    const step = stepOfCode(code, secret, this.clock.now(), operator.totpLastStep);
    if (step !== undefined) return (await this.authenticators.useStep(operator.id, step)) ? 'app' : undefined;
    return (await this.recoveryCodes.use(operator, code)) ? 'recovery' : undefined;
  }
}
