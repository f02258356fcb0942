import { Module } from '@nestjs/common';
import { MailModule } from './mail.module.js';
import { StaffModule } from '#accounts/staff.module';
import { MailsController } from './mail/mails.controller.js';

/** Mails to buyers, for staff. */
@Module({
  imports: [StaffModule, MailModule],
  controllers: [MailsController],
})
export class MailsApiModule {}
