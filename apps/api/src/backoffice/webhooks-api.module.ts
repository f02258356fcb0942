import { Module } from '@nestjs/common';
import { WebhooksModule } from '#webhooks/webhooks.module';
import { StaffModule } from '../people/staff.module.js';
import { NoticesController } from './notices.controller.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhooksController } from './webhooks.controller.js';

/** Webhooks, their deliveries and notices, for staff. */
@Module({
  imports: [StaffModule, WebhooksModule],
  controllers: [WebhooksController, WebhookDeliveriesController, NoticesController],
})
export class WebhooksApiModule {}
