import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { AuditLog } from '../audit-log.js';
import { Operators } from '../operators.js';

const DAY_MS = 86_400_000;

/** Disables operators who have not signed in for `UNUSED_ACCOUNT_DAYS`: nobody would notice that somebody else uses such an account. */
@Injectable()
export class UnusedAccounts {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly operators: Operators,
    private readonly audit: AuditLog,
    private readonly settings: Settings,
  ) {}

  /** The last administrator stays: nobody could enable the others again. */
  async disable(): Promise<void> {
    const { UNUSED_ACCOUNT_DAYS: days } = this.settings;
    if (days === undefined) return;
    const { rows } = await this.pool.query<{ id: string }>(UNUSED, [new Date(this.clock.now() - days * DAY_MS)]);
    for (const { id } of rows) {
      const disabled = await this.operators.change(id, { state: 'disabled' }, { actor: 'system' });
      if (typeof disabled === 'string') continue;
      const entry = { actor: 'system', action: 'operator.changed', subject: `operator:${id}` };
      await this.audit.record({ ...entry, detail: { state: 'disabled', unused_days: days } });
    }
  }
}

// An account that was made or enabled counts from then on. The longest unused comes first, so the administrator who stays is the one seen last.
const UNUSED = `
  select id from operators
  where state = 'active' and greatest(last_sign_in_at, enabled_at, created_at) <= $1
  order by greatest(last_sign_in_at, enabled_at, created_at), id`;
