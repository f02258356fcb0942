import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { MailModule } from '#fulfilment/mail.module';
import { MailSamples } from './mail-templates/mail-samples.js';
import { MailTemplatesController } from './mail-templates/mail-templates.controller.js';

/** What every e-mail looks like. */
@Module({ imports: [StaffModule, MailModule], providers: [MailSamples], controllers: [MailTemplatesController] })
export class MailTemplatesApiModule {}
