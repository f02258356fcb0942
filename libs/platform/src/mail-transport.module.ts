import { Module } from '@nestjs/common';
import { StorageModule } from './storage.module.js';
import { MailTransport } from './mail-transport.js';

/** Sends mails by SMTP, or writes them to files. */
@Module({ imports: [StorageModule], providers: [MailTransport], exports: [MailTransport] })
export class MailTransportModule {}
