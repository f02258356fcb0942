import { Module } from '@nestjs/common';
import { WebhooksModule } from './webhooks.module.js';
import { StaffModule } from '#accounts/staff.module';
import { NoticesController } from './webhooks/notices.controller.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/** Webhooks, their deliveries and notices, for staff. */
@Module({
  imports: [StaffModule, WebhooksModule],
  controllers: [WebhooksController, WebhookDeliveriesController, NoticesController],
})
export class WebhooksApiModule {}
