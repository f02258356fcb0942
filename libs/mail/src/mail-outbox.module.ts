import { Module } from '@nestjs/common';
import { StorageModule } from '#platform/storage.module';
import { MailOutbox } from './mail-outbox.js';
import { MailTransport } from './mail-transport.js';

/** Sends mails by SMTP, or writes them to files. */
@Module({ imports: [StorageModule], providers: [MailOutbox, MailTransport], exports: [MailOutbox] })
export class MailOutboxModule {}
