import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery-kit/job-queue';
import { QueueBackend } from '#delivery-kit/queue-backend';
import type { JobProcessor } from '#delivery-kit/queue-task';
import type { StatusReport } from '#domain/delivery-report';
import { OrderChanges } from '#orders/order-changes';
import { BounceAddresses } from './bounces/bounce-addresses.js';
import { MailComposer } from './mail-composer.js';
import { MailOutbox } from '#mail/mail-outbox';
import { isFree, type MailChange, type MailEnd, type WaitingMails } from '#mail/waiting-mails';
import type { OutgoingMail } from '#mail/mail-transport';
import type { MailKind } from '../mail-templates.js';
import { Mails, type StoredMail } from '../mails.js';

export type MailJob = Readonly<{ id: string }>;

@Injectable()
export class MailQueue extends JobQueue<MailJob> {
  constructor(backend: QueueBackend) {
    super('mails', backend);
  }
}

/** What becomes of a mail about a refund, a transfer or a choice moves no order. */
type Reports = Readonly<Record<MailKind, StatusReport | null>>;
const ACCEPTED_REPORT: Reports = {
  confirmation: 'confirmation_sent',
  tickets: 'tickets_sent',
  refund: null,
  transfer: null,
  choice: null,
};
const BOUNCED_REPORT: Reports = {
  confirmation: 'confirmation_bounced',
  tickets: 'tickets_bounced',
  refund: null,
  transfer: null,
  choice: null,
};

type Bounced = Readonly<{ orderId: string; moved: boolean }>;

/** A mail to the buyer of an order, as the outbox claims it. */
type BuyerMail = Pick<StoredMail, 'id' | 'order_id' | 'kind' | 'state' | 'refund_id'>;

/** Sends one mail, and tells the order when the mail server has it. A job is only a wake-up: the row decides. */
@Injectable()
export class MailSending implements JobProcessor<MailJob>, WaitingMails<BuyerMail> {
  readonly table = {
    name: 'mails',
    key: ['id'],
    leasedUntil: 'lease_until',
    next: `
      select id from mails
      where id = $3 and state in ('due', 'accepted') and due_at <= $1 and ${isFree('lease_until')} for update skip locked`,
  };

  constructor(
    private readonly outbox: MailOutbox,
    private readonly mails: Mails,
    private readonly composer: MailComposer,
    private readonly orders: OrderChanges,
    private readonly bounceAddresses: BounceAddresses,
  ) {}

  async process({ id }: MailJob): Promise<void> {
    await this.outbox.send(this, [id]);
  }

  async compose([{ id, order_id: orderId, kind, refund_id: refundId }]: readonly [BuyerMail]) {
    const composed = await this.composer.compose(orderId, { kind, refundId });
    return 'reason' in composed ? composed : { id, returnPath: this.bounceAddresses.of(id), ...composed };
  }

  isAccepted({ state }: BuyerMail): boolean {
    return state === 'accepted';
  }

  async accepted({ id, order_id: orderId }: BuyerMail, { to, subject, text }: OutgoingMail): Promise<MailChange> {
    const [at, sealed] = await this.mails.sealed(id, orderId, { to, subject, text });
    return {
      sql: `update mails set state = 'accepted', sent_at = $3, sealed = $4, error = null`,
      values: [at, sealed],
    };
  }

  async tell(mail: BuyerMail, { state, error }: MailEnd): Promise<void> {
    if (state === 'sent') await this.report(mail, ACCEPTED_REPORT[mail.kind]);
    else await this.report(mail, BOUNCED_REPORT[mail.kind], `The mail server refused the mail: ${error}.`);
  }

  ended(_: BuyerMail, { state, error }: MailEnd): MailChange {
    return { sql: 'update mails set state = $3, error = $4, lease_until = null', values: [state, error] };
  }

  putOff(until: Date, error: string): MailChange {
    return { sql: 'update mails set due_at = $3, error = $4, lease_until = null', values: [until, error] };
  }

  /** A mail that came back. Moves the order unless a later mail of the kind was made. Undefined if the mail is unknown. */
  async bounced(id: string, note: string | undefined): Promise<Bounced | undefined> {
    const mail = await this.mails.find(id);
    if (!mail) return undefined;
    await this.mails.bounced(id);
    const moved = mail.is_latest && (await this.report({ id, ...mail }, BOUNCED_REPORT[mail.kind], note));
    return { orderId: mail.order_id, moved };
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

  /** Nothing happens to an order that has gone on. Returns whether it moved. */
  private async report(
    { id, order_id: orderId }: Pick<BuyerMail, 'id' | 'order_id'>,
    report: StatusReport | null,
    note?: string,
  ): Promise<boolean> {
    if (report === null) return false;
    const metadata = { transaction_id: id, actor: 'system:mail' };
    // Whoever sends a mail after one that came back has mended what was wrong.
    const command = { type: 'ReportDelivery', report, again: true, ...(note !== undefined && { note }) } as const;
    return (await this.orders.apply(orderId, command, metadata)).recorded;
  }
}
