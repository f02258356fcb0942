import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { isEmailAddress } from '#base/email-address';
import { AuditLog } from '../audit-log.js';
import { Operators } from '../operators.js';
import { OpenIdOperators } from './openid-operators.js';
import type { OpenIdPerson } from './openid-provider.js';
import { type Claims, roleRule, rolesOfClaims } from './openid-roles.js';

const LONGEST_NAME = 200;

/** Maps a person whom the OpenID provider has signed in to an operator, and updates the operator's roles by the claims. */
@Injectable()
export class OpenIdAccounts {
  constructor(
    private readonly linked: OpenIdOperators,
    private readonly operators: Operators,
    private readonly audit: AuditLog,
    private readonly settings: Settings,
  ) {}

  /** Returns the id of an active operator; undefined if the person has no access. */
  async operatorOf(person: OpenIdPerson): Promise<string | undefined> {
    const rules = this.settings.OIDC_ROLES.map(roleRule);
    const roles = rolesOfClaims(rules, person.claims);
    // With rules, the provider decides who has access. Without rules, the list of operators does.
    if (rules.length > 0 && roles.length === 0) return undefined;
    const known = await this.linked.find(person);
    if (known && known.state !== 'active') return undefined;
    const id = known?.id ?? (await this.#linkOrAdd(person, roles));
    if (id !== undefined && roles.length > 0) await this.#keepRoles(id, roles);
    return id;
  }

  /** The id of the active operator whom the person already is. */
  async knownOperatorOf(person: OpenIdPerson): Promise<string | undefined> {
    const known = await this.linked.find(person);
    return known?.state === 'active' ? known.id : undefined;
  }

  async #linkOrAdd(person: OpenIdPerson, roles: ReturnType<typeof rolesOfClaims>): Promise<string | undefined> {
    const { email: claimed, name } = person.claims;
    const email = typeof claimed === 'string' ? claimed.trim() : '';
    if (!isEmailAddress(email) || !this.#isVerified(email, person.claims)) return undefined;
    const linked = await this.linked.linkByEmail(person, email);
    if (linked !== undefined) {
      await this.#record('operator.linked', linked);
      return linked;
    }
    if (roles.length === 0) return undefined;
    const shown = typeof name === 'string' && /^[^\p{C}]+$/u.test(name) ? name.slice(0, LONGEST_NAME) : email;
    const added = await this.linked.add(person, { email, name: shown, roles });
    if (added !== undefined) await this.#record('operator.created', added);
    return added;
  }

  /** Anybody can write somebody else's address into an unverified account. */
  #isVerified(email: string, { email_verified: claim }: Claims): boolean {
    // Amazon Cognito sends it as text.
    if (claim !== undefined) return claim === true || claim === 'true';
    // Entra ID never sends it, and only its administrators can give people addresses of the organization's domains.
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    return this.settings.OIDC_TRUSTED_DOMAINS.some((trusted) => trusted.toLowerCase() === domain);
  }

  /** The last administrator stays one, so that somebody can still give others access. */
  async #keepRoles(id: string, roles: ReturnType<typeof rolesOfClaims>): Promise<void> {
    const before = await this.operators.find(id);
    const isSame = before?.roles.length === roles.length && roles.every((role) => before.roles.includes(role));
    if (isSame || typeof (await this.operators.change(id, { roles }, { actor: 'system' })) === 'string') return;
    await this.#record('operator.changed', id, { roles });
  }

  #record(action: string, id: string, detail: Readonly<Record<string, unknown>> = {}): Promise<void> {
    return this.audit.record({
      actor: 'system',
      action,
      subject: `operator:${id}`,
      detail: { ...detail, by: 'openid' },
    });
  }
}
