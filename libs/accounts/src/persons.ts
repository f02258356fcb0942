import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { permissionsOf, type Permission, type Role } from './permission.contract.js';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { type Makers, SAME_PERSON_HOURS, samePerson } from './same-person.js';

const HOUR_MS = 3_600_000;

/** Reads who made whom: `same-person.ts` says what follows from it. */
@Injectable()
export class Persons {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** What is known of the makers of these actors. */
  async makersOf(actors: readonly string[], connection: Pool | ClientBase = this.pool): Promise<Makers> {
    const since = new Date(this.clock.now() - SAME_PERSON_HOURS * HOUR_MS);
    const { rows: access } = await connection.query<Makers['access'][number]>(ACCESS, [since]);
    const asked = [...actors, ...access.map(({ by }) => by)].filter((actor) => actor.startsWith('token:'));
    const { rows } = await connection.query<{ token: string; maker: string }>(TOKEN_MAKERS, [[...new Set(asked)]]);
    return { access, tokens: new Map(rows.map(({ token, maker }) => [token, maker])) };
  }

  /** Whether anybody who can sign in has the permission and is another person than this actor. */
  async hasOther(actor: string, permission: Permission): Promise<boolean> {
    const { rows } = await this.pool.query<{ actor: string; roles: Role[] }>(ACTIVE);
    const able = rows.filter(({ roles }) => permissionsOf(roles).includes(permission)).map((row) => row.actor);
    const makers = await this.makersOf([actor]);
    return able.some((other) => samePerson(actor, other, makers) === undefined);
  }
}

/** $1 since when. */
const ACCESS = `select 'operator:' || operator_id as operator, given_by as by from operator_access where given_at > $1`;

/** $1 tokens, as actors. A token may have been made by another one. */
const TOKEN_MAKERS = `
  with recursive made (token, maker) as (
    select 'token:' || id, created_by from api_tokens where 'token:' || id = any($1)
    union
    select 'token:' || id, created_by from api_tokens join made on made.maker = 'token:' || id)
  select token, maker from made`;

/** Whoever has not accepted the invitation yet cannot sign in, unless by the OpenID provider. */
const ACTIVE = `
  select 'operator:' || id as actor, roles from operators
  where state = 'active' and (password_hash is not null or openid_subject is not null)`;
