import { Module } from '@nestjs/common';
import { OrdersModule } from '#orders/orders.module';
import { LedgerModule } from './ledger.module.js';
import { FactCommands } from './provider-events/fact-commands.js';
import { ProviderEventInbox } from './provider-events/provider-event-inbox.js';
import { ProviderEventSweep } from './provider-events/provider-event-sweep.js';
import { ProviderEventWork } from './provider-events/provider-event-work.js';

/** What payment providers tell us: kept, and worked on. */
@Module({
  imports: [OrdersModule, LedgerModule],
  providers: [ProviderEventInbox, FactCommands, ProviderEventWork, ProviderEventSweep],
  exports: [OrdersModule, ProviderEventInbox, ProviderEventWork, ProviderEventSweep],
})
export class ProviderEventsModule {}
