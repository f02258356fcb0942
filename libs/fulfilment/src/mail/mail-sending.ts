import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery-kit/job-queue';
import { QueueBackend } from '#delivery-kit/queue-backend';
import type { JobProcessor } from '#delivery-kit/queue-task';
import type { DeliveryReport } from '#domain/delivery-report';
import { OrderChanges } from '#orders/order-changes';
import { type AddressedBounce, BounceAddresses } from './bounces/bounce-addresses.js';
import { MailComposer } from './mail-composer.js';
import type { MailKind } from '../mail-templates.js';
import { MailRefused, MailTransport } from '#platform/mail-transport';
import { type LeasedMail, Mails } from '../mails.js';

export type MailJob = Readonly<{ id: string }>;

@Injectable()
export class MailQueue extends JobQueue<MailJob> {
  constructor(backend: QueueBackend) {
    super('mails', backend);
  }
}

// 30 s, 1 min, 2 min … at most an hour apart, for about two days: mail servers give up after that, too.
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;
const MOST_ATTEMPTS = 55;

const ACCEPTED_REPORT = { confirmation: 'confirmation_sent', tickets: 'tickets_sent' } as const satisfies Reports;
const BOUNCED_REPORT = { confirmation: 'confirmation_bounced', tickets: 'tickets_bounced' } as const satisfies Reports;
type Reports = Readonly<Record<MailKind, DeliveryReport['report']>>;

type Bounced = Readonly<{ orderId: string; moved: boolean }>;

/** Sends one mail, and tells the order when the mail server has it. */
@Injectable()
export class MailSending implements JobProcessor<MailJob> {
  constructor(
    private readonly mails: Mails,
    private readonly composer: MailComposer,
    private readonly transport: MailTransport,
    private readonly orders: OrderChanges,
    private readonly bounceAddresses: BounceAddresses,
  ) {}

  async process({ id }: MailJob): Promise<void> {
    const leased = await this.mails.lease(id);
    const mail = leased?.state === 'due' ? await this.send(leased) : leased;
    if (!mail) return;
    await this.report(mail, ACCEPTED_REPORT[mail.kind]);
    await this.mails.end(mail, 'sent');
  }

  /** A mail that came back. Moves the order unless a later mail of the kind was made. Undefined if the mail is unknown. */
  async bounced(id: string, note: string | undefined): Promise<Bounced | undefined> {
    const mail = await this.mails.find(id);
    if (!mail) return undefined;
    await this.mails.bounced(id);
    const moved = mail.is_latest && (await this.report({ id, ...mail }, BOUNCED_REPORT[mail.kind], note));
    return { orderId: mail.order_id, moved };
  }

  /** The mail to whose envelope sender a report came. */
  addressedTo(recipients: readonly string[]): AddressedBounce | undefined {
    return this.bounceAddresses.read(recipients);
  }

  /** The same, said by a mailbox, which may say it again. A mail that never went out cannot have come back. */
  async cameBack(id: string, status: string | undefined): Promise<void> {
    const mail = await this.mails.find(id);
    if (mail?.state !== 'sent' && mail?.state !== 'accepted') return;
    const note = status === undefined ? 'The e-mail came back.' : `The e-mail came back: ${status}.`;
    // First the order: if the process dies between the two, the mailbox is read again, and the order has nowhere to go.
    if (mail.is_latest) await this.report({ id, ...mail }, BOUNCED_REPORT[mail.kind], note);
    await this.mails.bounced(id);
  }

  /** Undefined if it did not go out, or another process has it now. */
  private async send(mail: LeasedMail): Promise<LeasedMail | undefined> {
    const composed = await this.composer.compose(mail.order_id, mail.kind);
    if ('reason' in composed) {
      await this.mails.end(mail, 'skipped', composed.reason);
      return undefined;
    }
    // What came before may have taken long, as in a process that was frozen.
    const held = await this.mails.renewed(mail);
    if (!held) return undefined;
    try {
      await this.transport.send({ id: mail.id, returnPath: this.bounceAddresses.of(mail.id), ...composed });
    } catch (error) {
      if (error instanceof MailRefused) await this.refused(held, error.reply);
      else await this.later(held, (error as Error).message);
      return undefined;
    }
    const { to, subject, text } = composed;
    return (await this.mails.accepted(held, { to, subject, text })) ? held : undefined;
  }

  private async later(mail: LeasedMail, error: string): Promise<void> {
    if (mail.attempts >= MOST_ATTEMPTS) return await this.refused(mail, error);
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (mail.attempts - 1));
    await this.mails.retry(mail, waitMs, error);
  }

  /** Nothing happens if another process has sent it meanwhile. */
  private async refused(mail: LeasedMail, reply: string): Promise<void> {
    const held = await this.mails.renewed(mail);
    if (!held) return;
    await this.report(held, BOUNCED_REPORT[held.kind], `The mail server refused the mail: ${reply}.`);
    await this.mails.end(held, 'refused', reply);
  }

  /** Nothing happens to an order that has gone on. Returns whether it moved. */
  private async report(
    { id, order_id: orderId }: Pick<LeasedMail, 'id' | 'order_id'>,
    report: DeliveryReport['report'],
    note?: string,
  ): Promise<boolean> {
    const metadata = { transaction_id: id, actor: 'system:mail' };
    // Whoever sends a mail after one that came back has mended what was wrong.
    const command = { type: 'ReportDelivery', report, again: true, ...(note !== undefined && { note }) } as const;
    return (await this.orders.apply(orderId, command, metadata)).recorded;
  }
}
