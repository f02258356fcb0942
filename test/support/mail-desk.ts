import { vi } from 'vitest';
import type { OrderMail, OrderMailList } from '#fulfilment/mail.contract';
import { DatabaseClock } from '#database/database-clock';
import { FeedLeader } from '#event-store/feed-leader';
import { MailSchedule } from '#fulfilment/mail/mail-schedule';
import { MailSending } from '#fulfilment/mail/mail-sending';
import { Mails } from '#fulfilment/mails';
import { SystemClock } from '#base/clock';
import { type MailApi, startMailApi } from './mail-api.js';
import { cardBody } from './purchase-bodies.js';
import { until } from './until.js';

/** Orders that are confirmed at once, and what the worker does about their mails. Close it in an `afterAll`. */
export class MailDesk {
  purchases = 0;

  private constructor(
    readonly stand: MailApi,
    private readonly leader: FeedLeader,
  ) {}

  static async start(): Promise<MailDesk> {
    const stand = await startMailApi();
    const { api } = stand;
    await api.staff.putListing('lst-1', { quantity: 500 });
    const leader = new FeedLeader({
      connection: { connectionString: api.databaseUrl, options: '-c role=willcall_app' },
      clock: new SystemClock(),
      onError: () => undefined,
    });
    leader.start();
    // From now on.
    await api.app.get(MailSchedule).run();
    return new MailDesk(stand, leader);
  }

  async close(): Promise<void> {
    await this.leader.stop();
    await this.stand.close();
  }

  readonly bought = (): Promise<string> => {
    this.purchases += 1;
    return this.stand.api.payment.bought({ ...cardBody(), ref_id: `mail-${this.purchases}` });
  };

  readonly mailsOf = async (id: string): Promise<OrderMail[]> =>
    ((await this.stand.api.staff.get(`orders/${id}/mails`)).body as OrderMailList).mails;

  /** What the worker does: the schedule, and then each due mail. */
  readonly work = async (): Promise<void> => {
    const { app } = this.stand.api;
    await app.get(MailSchedule).run();
    for (const id of await app.get(Mails).due(100)) await app.get(MailSending).process({ id });
  };

  /** Buys, and waits until the mail is scheduled. */
  readonly confirmed = async (): Promise<string> => {
    const id = await this.bought();
    await until(async () => {
      await this.stand.api.app.get(MailSchedule).run();
      return (await this.mailsOf(id)).length === 1;
    });
    return id;
  };

  readonly codeOf = async (id: string): Promise<number> =>
    ((await this.stand.api.payment.read(id)).body as { status: { status_code: number } }).status.status_code;

  /** Until the mocks are restored. */
  readonly later = (ms: number): void => {
    const now = Date.now();
    vi.spyOn(this.stand.api.app.get(DatabaseClock), 'now').mockImplementation(() => now + ms);
  };
}
