import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { Randomness } from '#base/randomness';
import { DatabaseClock } from '#database/database-clock';
import type { Permission } from '../permission.contract.js';
import { TokenStore } from '../token-store.js';

type Grants = Readonly<{
  scopes: Permission[];
  /** Those whose orders and listings it sees; null for all. */
  sellers: string[] | null;
  /** The actor who made it. */
  created_by: string;
}>;

/** The tokens of programs that use the back office. */
@Injectable()
export class ApiTokens extends TokenStore<Grants> {
  constructor(@Inject(Pool) pool: Pool, @Inject(DatabaseClock) clock: Clock, ids: Ids, randomness: Randomness) {
    super(pool, clock, ids, randomness, {
      table: 'api_tokens',
      prefix: 'wat_',
      id: 'tok',
      grants: ['scopes', 'sellers', 'created_by'],
      order: 'created_at desc, id',
      cached: false,
    });
  }

  /** The actor who made the token, also a revoked one. */
  async makerOf(id: string): Promise<string | undefined> {
    const text = 'select created_by as maker from api_tokens where id = $1';
    return (await this.pool.query<{ maker: string }>(text, [id])).rows[0]?.maker;
  }
}
