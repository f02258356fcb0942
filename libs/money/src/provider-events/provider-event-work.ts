import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import type { Metadata } from '#event-store/event';
import type { ProviderFact } from '#payments/provider-events';
import { ProviderEventInbox, type WaitingEvent } from './provider-event-inbox.js';
import { ProviderPayouts } from '../ledger/provider-payouts.js';
import { FactCommands, type Recorded } from './fact-commands.js';

const AT_ONCE = 100;

/** After that the reconciliation names the charge. */
const UNKNOWN_FOR_MS = 24 * 3_600_000;

/** Records what providers told us, in any order, twice, or before our own answer. */
@Injectable()
export class ProviderEventWork {
  constructor(
    private readonly inbox: ProviderEventInbox,
    private readonly commands: FactCommands,
    private readonly payouts: ProviderPayouts,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Whether there may be more. */
  async run(): Promise<boolean> {
    const events = await this.inbox.take(AT_ONCE);
    for (const event of events) await this.workOn(event);
    return events.length === AT_ONCE;
  }

  private async workOn(event: WaitingEvent): Promise<void> {
    const { id, provider, fact } = event;
    const metadata = {
      transaction_id: `provider-event-${provider}-${id}`.slice(0, 200),
      actor: `provider:${provider}`,
    };
    try {
      const result = await this.record(provider, fact, metadata);
      if (result.is !== 'unknown') {
        return await this.inbox.end(event, result.is === 'recorded' ? 'done' : 'ignored', result.orderId);
      }
      const isOld = event.receivedAt.getTime() + UNKNOWN_FOR_MS <= this.clock.now();
      if (isOld) return await this.inbox.end(event, 'ignored', null, result.why);
      await this.inbox.later(event, result.why);
    } catch (error) {
      await this.inbox.later(event, (error as Error).message);
    }
  }

  private async record(provider: string, fact: ProviderFact, metadata: Metadata): Promise<Recorded> {
    if (fact.is !== 'payout') return await this.commands.record(provider, fact, metadata);
    const isNews = await this.payouts.record(provider, { ...fact, arrivesAt: fact.at }, metadata);
    return { is: isNews ? 'recorded' : 'nothing', orderId: null };
  }
}
