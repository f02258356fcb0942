import { SystemClock } from '#runtime/clock';
import { TimeOrderedIds } from '#runtime/ids';
import { SystemRandomness } from '#runtime/randomness';
import { DatabaseClock } from '#database/database-clock';
import { AddressGuard } from '#delivery/address-guard';
import { Webhooks } from '#webhooks/webhooks';
import { withSealer } from './with-sealer.js';

/** What needs no address checked: that is for the running service, by its own settings. */
export type KnownWebhooks = Pick<Webhooks, 'list' | 'pause' | 'resume' | 'rotate' | 'remove'>;

export type UseWebhooks = <T>(work: (webhooks: KnownWebhooks) => Promise<T>) => Promise<T>;

/** Gives `work` the webhooks in the database that the settings name. */
export const withWebhooks: UseWebhooks = (work) =>
  withSealer('webhooks', async ({ pool, sealer }) => {
    const clock = await new DatabaseClock(pool, new SystemClock()).read();
    const chance = { ids: new TimeOrderedIds(), randomness: new SystemRandomness() };
    return await work(new Webhooks(pool, new AddressGuard(false), sealer, clock, chance));
  });
