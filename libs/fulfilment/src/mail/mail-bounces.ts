import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { senderHost } from '#mail/mail-page';
import { BounceAddresses } from './bounces/bounce-addresses.js';
import { failedMail, recipientsOf } from './bounces/delivery-status.js';
import { fileSize, mboxMessages, readMaildir } from './bounces/mailbox.js';
import { MailSending } from './mail-sending.js';

/**
 * Reads the mailbox of the sender's address for mails that came back. An mbox file is never written, and is read on from where its last
 * message begins; after a restart from its beginning. That does no harm, because a mail comes back only once.
 */
@Injectable()
export class MailBounces {
  private from = 0;
  private size = -1;

  constructor(
    private readonly settings: Settings,
    private readonly sending: MailSending,
    private readonly addresses: BounceAddresses,
  ) {}

  async run(): Promise<void> {
    const { MAIL_BOUNCES_FILE: path } = this.settings;
    if (path === undefined) return;
    const size = await fileSize(path);
    if (size === undefined) return await readMaildir(path, (bytes) => this.read(bytes));
    if (size === this.size) return;
    // Somebody has emptied it, or put another one in its place.
    if (size < this.size) this.from = 0;
    for await (const { at, bytes } of mboxMessages(path, this.from)) {
      await this.read(bytes);
      this.from = at;
    }
    this.size = size;
  }

  private async read(bytes: Buffer): Promise<void> {
    const failed = await failedMail(bytes);
    if (!failed) return;
    const addressed = this.addresses.read(recipientsOf(bytes));
    if (addressed === 'forged') return;
    const id = addressed?.mailId ?? this.idIn(failed.messageId);
    if (id !== undefined) await this.sending.cameBack(id, failed.status);
  }

  private idIn(messageId = ''): string | undefined {
    const [, id, host] = /^<(mai_\w{1,100})@([^\s<>@]{1,255})>$/.exec(messageId) ?? [];
    // Earlier versions named the host of PUBLIC_URL.
    const ours = [senderHost(this.settings), new URL(this.settings.PUBLIC_URL).hostname];
    return host !== undefined && ours.includes(host.toLowerCase()) ? id : undefined;
  }
}
