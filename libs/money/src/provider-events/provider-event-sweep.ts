import { Injectable } from '@nestjs/common';
import { errorLog } from '#platform/error-log';
import type { PaymentProvider } from '#payments/payment-provider';
import { PaymentProviders } from '#payments/payment-providers';
import type { ProviderEvent } from '#payments/provider-events';
import { ProviderEventInbox } from './provider-event-inbox.js';

const AT_ONCE = 100;

/** Reads the providers' own lists of events: a webhook may never come. */
@Injectable()
export class ProviderEventSweep {
  private readonly onError = errorLog("the provider's events");

  constructor(
    private readonly providers: PaymentProviders,
    private readonly inbox: ProviderEventInbox,
  ) {}

  /** A provider that cannot be reached does not keep the others from being read. */
  async run(): Promise<void> {
    for (const provider of this.providers.all) await this.read(provider).catch(this.onError);
  }

  /** @throws what the provider throws */
  async read(provider: PaymentProvider): Promise<void> {
    const events = provider.events(await this.inbox.lastRead(provider.name));
    if (!events) return;
    let some: ProviderEvent[] = [];
    for await (const event of events) {
      some.push(event);
      if (some.length === AT_ONCE) some = await this.keep(provider.name, some);
    }
    await this.keep(provider.name, some);
  }

  /** The events first, then the place in the list: after a crash between the two, they come once more. */
  private async keep(provider: string, events: readonly ProviderEvent[]): Promise<[]> {
    const last = events.at(-1);
    if (!last) return [];
    await this.inbox.add(provider, events);
    await this.inbox.markRead(provider, last.id);
    return [];
  }
}
