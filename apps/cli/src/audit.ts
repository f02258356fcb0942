import type { Pool } from 'pg';
import { AuditLog, type AuditedAction } from '#accounts/audit-log';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { DatabaseClock } from '#database/database-clock';
import { userName } from './terminal/user-name.js';

/** Who changes something: the user of the system who runs the command. */
export const commandActor = (): string => `cli:${userName()}`;

/** Records what a command has done under the name that the API has for it. Call it after the change, as the API does. */
export async function recordChange(
  pool: Pool,
  action: string,
  subject: string,
  more: Pick<AuditedAction, 'detail' | 'transactionId'> = {},
): Promise<void> {
  const clock = await new DatabaseClock(pool, new SystemClock()).read();
  await new AuditLog(pool, clock, new TimeOrderedIds()).record({ actor: commandActor(), action, subject, ...more });
}
