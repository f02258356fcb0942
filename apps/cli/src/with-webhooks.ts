import type { Pool } from 'pg';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { DatabaseClock } from '#database/database-clock';
import { AddressGuard } from '#delivery-kit/address-guard';
import { Webhooks } from '#outbound/webhooks';
import { withSealer } from './with-sealer.js';

/** Operations that check no address. The running service checks addresses, by its own settings. */
type WebhookOperations = Pick<Webhooks, 'list' | 'pause' | 'resume' | 'rotate' | 'remove'>;

export type UseWebhooks = <T>(work: (webhooks: WebhookOperations, pool: Pool) => Promise<T>) => Promise<T>;

/** Runs `work` on the webhooks in the database of the settings. */
export const withWebhooks: UseWebhooks = (work) =>
  withSealer('webhooks', async ({ pool, sealer }) => {
    const clock = await new DatabaseClock(pool, new SystemClock()).read();
    const generators = { ids: new TimeOrderedIds(), randomness: new SystemRandomness() };
    return await work(new Webhooks(pool, new AddressGuard(false), sealer, clock, generators), pool);
  });
