import { SystemClock } from '#ambient/clock';
import { TimeOrderedIds } from '#ambient/ids';
import { SystemRandomness } from '#ambient/randomness';
import { DatabaseClock } from '#database/database-clock';
import { AddressGuard } from '#webhooks/address-guard';
import { Signers } from '#webhooks/endpoint';
import { WebhookSender } from '#webhooks/webhook-sender';
import { WebhookTrials } from '#webhooks/webhook-trial';
import { Webhooks } from '#webhooks/webhooks';
import { withSealer } from './with-sealer.js';

export type WebhookTools = Readonly<{ webhooks: Webhooks; trials: Pick<WebhookTrials, 'run'> }>;

/** Gives `work` the webhooks in the database that the settings name. */
export async function withWebhooks<T>(work: (tools: WebhookTools) => Promise<T>): Promise<T> {
  return withSealer('webhooks', async ({ pool, sealer, settings }) => {
    const clock = await new DatabaseClock(pool, new SystemClock()).read();
    const [ids, randomness] = [new TimeOrderedIds(), new SystemRandomness()];
    const guard = new AddressGuard(settings.WEBHOOK_ALLOW_PRIVATE);
    const sender = new WebhookSender(guard, clock, { timeoutMs: settings.PING_TIMEOUT_MS, connections: 1 });
    try {
      const webhooks = new Webhooks(pool, guard, sealer, clock, { ids, randomness });
      return await work({ webhooks, trials: new WebhookTrials(pool, new Signers(sealer), sender, clock, ids) });
    } finally {
      await sender.close();
    }
  });
}
