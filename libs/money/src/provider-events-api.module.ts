import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { ProviderEventsController } from './provider-events/provider-events.controller.js';
import { ProviderWebhooksController } from './provider-events/provider-webhooks.controller.js';
import { ProviderEventsModule } from './provider-events.module.js';

/** The webhooks of payment providers, and what they told us, for staff. */
@Module({
  imports: [StaffModule, ProviderEventsModule],
  controllers: [ProviderEventsController, ProviderWebhooksController],
})
export class ProviderEventsApiModule {}
