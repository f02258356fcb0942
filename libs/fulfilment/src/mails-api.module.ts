import { Module } from '@nestjs/common';
import { MailModule } from './mail.module.js';
import { StaffModule } from '#accounts/staff.module';
import { MailTemplatesController } from './mail/mail-templates.controller.js';
import { MailsController } from './mail/mails.controller.js';

/** Mails to buyers and their templates, for staff. */
@Module({
  imports: [StaffModule, MailModule],
  controllers: [MailsController, MailTemplatesController],
})
export class MailsApiModule {}
