import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { OpenIdProvider } from './openid-provider.js';

const FRESH_FOR_MS = 5 * 60_000;

/** How somebody can prove who they are: with the password, and a code where one is needed, or by signing in with the OpenID provider again. */
export type ProofWay = 'password' | 'openid';

/** A stolen session must not become the account: for some acts the person has to have proved lately who they are. */
@Injectable()
export class Proofs {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly provider: OpenIdProvider,
  ) {}

  isFresh(provenAt: Date): boolean {
    return this.clock.now() - provenAt.getTime() <= FRESH_FOR_MS;
  }

  /** Empty for somebody who has no password and whose OpenID provider is no longer in the settings. */
  async waysOf(operatorId: string): Promise<ProofWay[]> {
    const { rows } = await this.pool.query<{ password: boolean; openid: boolean }>(
      'select password_hash is not null as password, openid_subject is not null as openid from operators where id = $1',
      [operatorId],
    );
    const { password = false, openid = false } = rows[0] ?? {};
    return [
      ...(password ? ['password' as const] : []),
      ...(openid && this.provider.isConfigured ? ['openid' as const] : []),
    ];
  }
}
