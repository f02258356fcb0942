import type { Pool } from 'pg';
import type { Clock } from '#runtime/clock';
import type { JobQueue } from '#delivery/queues/job-queue';
import { heldAt } from '#delivery/lease';
import type { Ring } from './endpoint-drain.js';

/** The data of a job: what is due is in the rows. */
export type WebhookJob = Readonly<{ webhookId: string }>;

// See PingDoorbell: a lost job may block its name for 15 s.
const RING_ANEW_EVERY_MS = 5_000;

/** Adds a job for each endpoint that is to be looked at, named after the endpoint and the time, so that rings do not pile up. */
export class WebhookDoorbell {
  private asking: Promise<void> | undefined;
  private again = false;

  /**
   * @param nudge tells a drain of this very process; false where there is none.
   * @param nudgeAll tells all drains of this process.
   */
  constructor(
    private readonly pool: Pool,
    private readonly queue: Pick<JobQueue<WebhookJob>, 'add'>,
    private readonly clock: Clock,
    private readonly nudge: (webhookId: string) => boolean,
    private readonly nudgeAll: () => void = () => undefined,
  ) {}

  /** Throws when the queue's server is away; the sweep rings again. */
  async ring(rings: readonly Ring[]): Promise<void> {
    const now = this.clock.now();
    await this.queue.add(
      rings.map(({ webhookId, at }) => ({
        id: `${webhookId}-${Math.ceil(at)}`,
        data: { webhookId },
        delayMs: Math.ceil(at - now),
      })),
    );
  }

  /**
   * For endpoints that have something to do now. The queue keeps a delayed job by the clocks of those who add it and who take
   * it, so these jobs have names of their own: the delayed one may come too late.
   */
  async ringNow(due: readonly Ring[]): Promise<void> {
    const now = this.clock.now();
    await this.queue.add(
      due.map(({ webhookId, at }) => {
        const late = Math.max(0, Math.floor((now - at) / RING_ANEW_EVERY_MS));
        return { id: `${webhookId}-${Math.ceil(at)}-due${late > 0 ? `-${late}` : ''}`, data: { webhookId } };
      }),
    );
  }

  /** The ping stream has grown: rings for every endpoint that has not seen all of it. Calls meanwhile become one. */
  async grown(): Promise<void> {
    this.again = true;
    await (this.asking ??= this.askAll().finally(() => (this.asking = undefined)));
  }

  private async askAll(): Promise<void> {
    while (this.again) {
      this.again = false;
      // Before the question, not only after it: a drain that ends meanwhile gives its lease back too late for the question to see.
      this.nudgeAll();
      const values = [new Date(this.clock.now())];
      const { rows } = await this.pool.query<BehindRow>({ name: 'webhooks-behind', text: BEHIND, values });
      // Whoever has the lease in another process is told there, as this process is told here.
      const idle = rows.filter(({ id, leased }) => !this.nudge(id) && !leased);
      await this.queue.add(idle.map(({ id, newest }) => ({ id: `${id}-at-${newest}`, data: { webhookId: id } })));
    }
  }
}

type BehindRow = { id: string; newest: number; leased: boolean };

const BEHIND = `
  select id, newest, exists (select from webhook_leases where webhook_id = id and ${heldAt('$1')}) as leased
  from (select max(position) as newest from ping_stream) as stream, webhooks
  where state <> 'disabled' and position < newest`;
