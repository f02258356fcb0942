import { Inject, Injectable } from '@nestjs/common';
import { Sealer } from '#base/sealing';
import { Clock } from '#base/clock';
import { Randomness } from '#base/randomness';
import { DatabaseClock } from '#database/database-clock';
import { Authenticators } from './authenticators.js';
import type { ChangedBy } from './changed-by.js';
import { Operators } from '../operators.js';
import { stepOfCode, TOTP_SECRET_BYTES, totpPlace, totpSetup } from '../totp.js';

/** Sets up the codes of an operator's authenticator app. */
@Injectable()
export class TotpSetups {
  constructor(
    private readonly operators: Operators,
    private readonly authenticators: Authenticators,
    private readonly sealer: Sealer,
    private readonly randomness: Randomness,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** A new secret, which counts once it is confirmed. Undefined when there is no such operator. */
  async start(id: string): Promise<{ secret: string; otpauth_url: string } | undefined> {
    const operator = await this.operators.find(id);
    if (!operator) return undefined;
    const secret = this.randomness.bytes(TOTP_SECRET_BYTES);
    await this.authenticators.start(id, this.sealer.seal('totp-secret', totpPlace(id), secret));
    return totpSetup(secret, operator.email);
  }

  /** @returns new recovery codes; `'wrong'` for a code that is not of the new secret. Undefined when there is no such operator. */
  async confirm(id: string, code: string, by: ChangedBy): Promise<readonly string[] | 'wrong' | undefined> {
    if (!(await this.operators.find(id))) return undefined;
    const found = await this.operators.credentials({ id });
    if (!found?.totpPending) return 'wrong';
    const secret = this.sealer.open('totp-secret', totpPlace(id), found.totpPending);
    const step = stepOfCode(code, secret, this.clock.now(), 0);
    if (step === undefined) return 'wrong';
    return (await this.authenticators.confirm({ id, sealedSecret: found.totpPending, step }, by)) ?? 'wrong';
  }

  /** Returns whether there is such an operator. */
  async remove(id: string, by: ChangedBy): Promise<boolean> {
    return await this.authenticators.remove(id, by);
  }
}
