import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import type { Session } from '../operator.contract.js';
import { permissionsOf } from '../permission.contract.js';
import { Operators } from '../operators.js';
import { Proofs } from './proofs.js';
import { RecoveryCodes } from './recovery-codes.js';
import type { Session as OpenSession } from './sessions.js';
import { HttpError } from '#web/http-error';
import { RequiredTotp } from './required-totp.js';
import { shownOperator } from './shown-operator.js';

/** Shows people who they are signed in as. */
@Injectable()
export class SessionView {
  constructor(
    private readonly operators: Operators,
    private readonly proofs: Proofs,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly requiredTotp: RequiredTotp,
    private readonly settings: Settings,
  ) {}

  /** @throws HttpError 40100 if the operator has just been removed */
  async of(session: OpenSession): Promise<Session> {
    const { id } = session.operator;
    const operator = await this.operators.find(id);
    if (!operator) throw HttpError.with(40100);
    return {
      operator: shownOperator(operator),
      permissions: permissionsOf(operator.roles),
      csrf_token: session.csrfToken,
      expires_at: session.expiresAt.toISOString(),
      previous_sign_in_at: session.previousSignInAt?.toISOString() ?? null,
      idle_minutes: this.settings.SESSION_IDLE_MINUTES,
      proof: await this.proofs.waysOf(id),
      totp_required: this.requiredTotp.isMissing(session),
      recovery_codes_left: await this.recoveryCodes.left(id),
    };
  }
}
