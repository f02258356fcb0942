import { Injectable } from '@nestjs/common';
import { isCommonPassword } from './people/common-password.contract.js';
import { AuditLog } from './audit-log.js';
import { Operators } from './operators.js';
import { Passwords, PasswordTooShort } from './people/passwords.js';

/** Creates the administrator of `OPERATOR_EMAIL`. Without one nobody could sign in to add others. */
@Injectable()
export class FirstOperator {
  constructor(
    private readonly operators: Operators,
    private readonly passwords: Passwords,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Does nothing if there has ever been an operator: a changed setting must not reset a password.
   * @throws Error for a password that is too short or tried first
   */
  async create(email: string, password: string): Promise<void> {
    const id = await this.operators.addFirst(email, 'Administrator', () => {
      if (isCommonPassword(password)) throw new Error('OPERATOR_PASSWORD is one of the passwords that are tried first');
      return this.passwords.hash(password).catch((error: unknown) => {
        throw error instanceof PasswordTooShort ? new Error(`OPERATOR_PASSWORD ${error.message}`) : error;
      });
    });
    if (id !== undefined)
      await this.audit.record({ actor: 'system', action: 'operator.created', subject: `operator:${id}` });
  }
}
