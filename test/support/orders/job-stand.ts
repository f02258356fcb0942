import type { Job, JobPreview, JobResult, JobResultList } from '#desk/job.contract';
import type { OrderDetail } from '#orders/order.contract';
import type { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { JobRefundPace } from '#desk/jobs/job-refund-pace';
import { JobRunner } from '#desk/jobs/job-runner';
import { OrderJobs } from '#desk/jobs/order-jobs';
import { createPool } from '#database/pool';
import { startTestApi, type TestApi } from '../api.js';
import { applicationUrl } from '../database.js';
import type { SignedIn } from '../operators.js';
import { dyingPool } from '../postgres/dying-pool.js';
import { cardBody, wholesaleBody } from '../purchase-bodies.js';
import { until } from '../until.js';

type ListingName = 'now' | 'ask';

/** An api whose jobs a test works on itself, with a new show for each test. */
export class JobStand {
  private purchases = 0;
  private shows = 0;

  private constructor(readonly api: TestApi) {}

  /** Close its api in an `afterAll`. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<JobStand> {
    return new JobStand(await startTestApi(settings));
  }

  get show(): string {
    return String(7_000 + this.shows);
  }

  /** A new show, with a listing that sells at once (`now`) and one whose broker is asked (`ask`). */
  async nextShow(): Promise<void> {
    this.shows += 1;
    const { show } = this;
    const asked = { confirmation: 'manual', confirm_within_minutes: 30 } as const;
    await this.api.staff.putListing(`${show}-now`, { event_id: show, quantity: 1_000 });
    await this.api.staff.putListing(`${show}-ask`, { event_id: show, quantity: 1_000, ...asked });
  }

  product(listing: ListingName) {
    return { event_id: this.show, listing_id: `${this.show}-${listing}`, quantity: 2 };
  }

  refId(): string {
    this.purchases += 1;
    return `job-${this.purchases}`;
  }

  async bought(count: number, listing: ListingName = 'now'): Promise<string[]> {
    const { product, ...body } = wholesaleBody();
    const buy = () => {
      const wanted = { ...this.product(listing), total: product.total };
      return this.api.wholesale.bought({ ...body, ref_id: this.refId(), product: wanted });
    };
    return await Promise.all(Array.from({ length: count }, buy));
  }

  async paid(): Promise<string> {
    return await this.api.payment.bought({ ...cardBody(), ref_id: this.refId(), product: this.product('now') });
  }

  async preview(body: object): Promise<JobPreview> {
    const answer = await this.api.staff.send('POST', 'jobs', { arguments: {}, ...body, dry_run: true });
    return answer.body as JobPreview;
  }

  async begin(body: object, by: Pick<SignedIn, 'send'> = this.api.staff): Promise<Job> {
    const answer = await by.send('POST', 'jobs', { arguments: {}, ...body });
    if (answer.status !== 202) throw new Error(`The job was answered ${answer.status}: ${answer.text}`);
    return answer.body as Job;
  }

  /** @param pool that of a process which dies; without it, the api's own */
  runner(pool?: Pool): JobRunner {
    const { app } = this.api;
    if (!pool) return app.get(JobRunner);
    return new JobRunner(pool, app.get(OrderJobs), app.get(JobRefundPace), app.get(DatabaseClock));
  }

  /**
   * Works on it to its end with processes that die, each a statement later than the one before. @param lost what of the last statement
   * @returns how many have died
   */
  async dieOften(jobId: string, lost: 'request' | 'response'): Promise<number> {
    const databaseUrl = applicationUrl(this.api.databaseUrl);
    const pool = createPool({ databaseUrl, max: 2, applicationName: 'test', onError: () => undefined });
    let died = 0;
    for (let at = 1; (await this.job(jobId)).state === 'running'; at += 1) {
      await this.runner(dyingPool(pool, at, lost).pool)
        .step()
        .catch(() => (died += 1));
    }
    await pool.end();
    return died;
  }

  async job(id: string): Promise<Job> {
    return (await this.api.staff.get(`jobs/${id}`)).body as Job;
  }

  async results(id: string, query = 'limit=500'): Promise<JobResult[]> {
    return ((await this.api.staff.get(`jobs/${id}/results?${query}`)).body as JobResultList).results;
  }

  async order(id: string): Promise<OrderDetail> {
    return (await this.api.staff.get(`orders/${id}`)).body as OrderDetail;
  }

  async codeOf(id: string): Promise<number | undefined> {
    return (await this.order(id)).status?.status_code;
  }

  /** Begins it, and does one step of the work. */
  async run(body: object): Promise<Job> {
    const { id } = await this.begin(body);
    await this.runner().step();
    return await this.job(id);
  }

  /** Works on it until no order of it has to be tried again. */
  async finished(id: string): Promise<Job> {
    await until(async () => {
      await this.runner().step();
      return (await this.job(id)).state === 'done';
    });
    return await this.job(id);
  }

  /** Judges by the log of events, which the job's own tables have no part in: how many changes of the job each order has. */
  async changesByOrder(jobId: string): Promise<Map<string, number>> {
    const { rows } = await this.api.pool.query<{ order_id: string; changes: number }>(
      `select substr(stream, 7) as order_id, count(*)::int as changes from events
       where starts_with(metadata ->> 'transaction_id', $1) group by 1`,
      [`${jobId}-`],
    );
    return new Map(rows.map(({ order_id: id, changes }) => [id, changes]));
  }
}
