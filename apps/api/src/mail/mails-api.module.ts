import { Module } from '@nestjs/common';
import { MailModule } from '#orders/mail.module';
import { StaffModule } from '../people/staff.module.js';
import { MailsController } from './mails.controller.js';

/** Mails to buyers, for staff. */
@Module({
  imports: [StaffModule, MailModule],
  controllers: [MailsController],
})
export class MailsApiModule {}
