import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { TokenStore } from '#accounts/token-store';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { Randomness } from '#base/randomness';

/** The tokens that read the ping stream. They grant nothing else. */
@Injectable()
export class StreamTokens extends TokenStore<Readonly<Record<never, never>>> {
  constructor(pool: Pool, clock: Clock, ids: Ids, randomness: Randomness) {
    super(pool, clock, ids, randomness, {
      table: 'stream_tokens',
      prefix: 'wst_',
      id: 'stk',
      grants: [],
      order: 'created_at, id',
      cached: true,
    });
  }
}
