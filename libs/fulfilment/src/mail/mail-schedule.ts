import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { MailQueue } from './mail-sending.js';
import { Mails } from '../mails.js';

const AT_ONCE = 500;

/** Finds orders that were confirmed or refunded, and adds a job for each mail that is due. */
@Injectable()
export class MailSchedule {
  private isStarted = false;

  constructor(
    private readonly mails: Mails,
    private readonly queue: MailQueue,
    private readonly settings: Settings,
  ) {}

  async run(): Promise<void> {
    if (this.settings.MAIL_AUTOMATIC) await this.scheduleNew();
    else await this.mails.passOver();
    const due = await this.mails.due(AT_ONCE);
    if (due.length > 0) await this.queue.add(due.map((id) => ({ id, data: { id } })));
  }

  private async scheduleNew(): Promise<void> {
    if (!this.isStarted) await this.mails.start();
    this.isStarted = true;
    while (await this.mails.scheduleFromFeed());
  }
}
