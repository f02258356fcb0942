import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Role } from '../permission.contract.js';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';

export type OpenIdSubject = Readonly<{ issuer: string; subject: string }>;

export type LinkedOperator = Readonly<{ id: string; state: 'active' | 'disabled' | 'removed' }>;

/** Which operator a person of the OpenID provider is. */
@Injectable()
export class OpenIdOperators {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Also finds removed operators, who must not come back as new ones. */
  async find({ issuer, subject }: OpenIdSubject): Promise<LinkedOperator | undefined> {
    const { rows } = await this.pool.query<LinkedOperator>(FIND, [issuer, subject]);
    return rows[0];
  }

  /** Links the active operator with this e-mail address, unless already linked. The provider must have verified the address. */
  async linkByEmail({ issuer, subject }: OpenIdSubject, email: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ id: string }>(LINK, [issuer, subject, email]);
    return rows[0]?.id;
  }

  /** Adds an operator without a password. Undefined if another operator has the address. */
  async add(
    { issuer, subject }: OpenIdSubject,
    { email, name, roles }: Readonly<{ email: string; name: string; roles: readonly Role[] }>,
  ): Promise<string | undefined> {
    const values = [this.ids.next('opr'), email, name, roles, issuer, subject, this.clock.iso()];
    const { rows } = await this.pool.query<{ id: string }>(ADD, values);
    return rows[0]?.id;
  }
}

const FIND = 'select id, state from operators where openid_issuer = $1 and openid_subject = $2';

const LINK = `
  update operators set openid_issuer = $1, openid_subject = $2
  where lower(email) = lower($3) and state = 'active' and openid_subject is null
  returning id`;

const ADD = `
  insert into operators (id, email, name, roles, state, openid_issuer, openid_subject, created_at)
  values ($1, $2, $3, $4, 'active', $5, $6, $7)
  on conflict do nothing
  returning id`;
