import type { Clock } from '#runtime/clock';
import type { Randomness } from '#runtime/randomness';
import { Pause } from '#runtime/pause';
import type { RetryPolicy } from '#delivery/retry-schedule';
import { attemptOf } from './attempts.js';
import { DeliveryQueue } from './delivery-queue.js';
import type { Receiver } from './receiver.js';
import type { Attempt, DueDelivery, Recorded, WebhookLedger } from './webhook-ledger.js';
import { epochHeader, headersOf, statusMessage } from './webhook-message.js';
import type { WebhookSender } from './webhook-sender.js';
import { DUE_AT_ONCE } from './webhook-ledger-statements.js';

/** An endpoint whose deliveries are to be looked at, and when (milliseconds since the epoch). */
export type Ring = Readonly<{ webhookId: string; at: number }>;

export type DrainTools = Readonly<{
  ledger: WebhookLedger;
  sender: Pick<WebhookSender, 'post'>;
  clock: Clock;
  randomness: Randomness;
  retry: RetryPolicy;
  onAttempt: (state: Attempt['state']) => void;
  /** Of the database; undefined where it is not known. */
  epoch?: () => string | undefined;
  /**
   * How long a drain stays when nothing is left, for what may come next: that saves it a job and a lease each time. 0 when
   * others may have to wait for their turn.
   */
  lingerMs: () => number;
}>;

// After this the next endpoint has its turn, should others wait.
const SLICE_MS = 30_000;

// While something is under way, what has come meanwhile is looked for this often, should nobody have nudged.
const TICK_MS = 500;

// A rate limit that wants more patience than this is waited for in the queue: a lease does not last for ever.
const LONGEST_PAUSE_MS = 2_000;

const GONE = 410;

/** Sends what is due to one endpoint: several orders side by side, each order's first to last. */
export class EndpointDrain {
  private readonly queue = new DeliveryQueue();
  private readonly pause = new Pause();
  private underWay = 0;
  /** The database may hold something that was not seen yet. */
  private look = true;
  /** The lease is lost or given up, or the endpoint is gone: nothing is written any more. */
  private ended = false;
  private fault: unknown;
  private stopping = false;
  /** Something due was put back. */
  private unsent = false;
  private nextDue: number | undefined;
  private readAt = 0;
  private readonly endsAt: number;

  constructor(
    private readonly tools: DrainTools,
    private readonly receiver: Receiver,
  ) {
    this.endsAt = tools.clock.monotonic() + SLICE_MS;
  }

  /** There may be something new. */
  nudge(): void {
    this.look = true;
    this.pause.wake();
  }

  /** Finishes what is under way, and no more. */
  stop(): void {
    this.stopping = true;
    this.pause.wake();
  }

  /**
   * Ends when nothing is due, or nothing may be sent. When the endpoint is to be looked at again comes back. Throws what went
   * wrong, once nothing is under way.
   */
  async run(): Promise<Ring | undefined> {
    do await this.work();
    while (!(await this.finish()));
    if (this.fault !== undefined) throw this.fault;
    return this.again();
  }

  private async work(): Promise<void> {
    for (;;) {
      const now = this.tools.clock.monotonic();
      if (this.underWay > 0 && now - this.readAt >= TICK_MS) this.look = true;
      if (this.mayRead()) await this.read().catch((fault: unknown) => this.fail(fault));
      const waitMs = this.launch();
      if (this.mayRead()) continue;
      if (this.underWay > 0 || this.queue.length > 0) await this.pause.wait(Math.min(waitMs, TICK_MS));
      else if (!(await this.linger())) return;
    }
  }

  /** Nothing is left: waits a little for more. Whether there may be some. */
  private async linger(): Promise<boolean> {
    const { clock, lingerMs } = this.tools;
    const mayCome = !this.ended && !this.outOfTime && this.isDrained();
    const waitMs = mayCome ? Math.min(lingerMs(), (this.nextDue ?? Infinity) - clock.now()) : 0;
    if (waitMs <= 0) return false;
    await this.tellCaughtUp();
    const until = clock.monotonic() + waitMs;
    // What has just ended may cut the first wait short.
    while (!this.look && !this.outOfTime && clock.monotonic() < until) await this.pause.wait(until - clock.monotonic());
    if (this.nextDue !== undefined && clock.now() >= this.nextDue) this.look = true;
    return this.mayRead();
  }

  private get outOfTime(): boolean {
    return this.stopping || (this.tools.clock.monotonic() >= this.endsAt && this.tools.lingerMs() === 0);
  }

  private mayRead(): boolean {
    return this.look && this.queue.length === 0 && !this.ended && !this.outOfTime;
  }

  private async read(): Promise<void> {
    const { ledger, clock } = this.tools;
    const { lease } = this.receiver;
    [this.look, this.unsent, this.readAt] = [false, false, clock.monotonic()];
    this.queue.beginRead();
    const taken = await ledger.takeIn(lease);
    if (!taken) return void (this.ended = true);
    if (taken.version !== this.receiver.endpoint.version) await this.adopt();
    if (taken.more) this.look = true;
    if (this.receiver.room(clock.now()) === 0) return;
    const early = !isClosed(this.receiver.breaker);
    const { due, nextDue } = await ledger.due(lease.webhookId, { early });
    this.nextDue = nextDue;
    const all = this.queue.add(due);
    if (!all || due.length === DUE_AT_ONCE) this.look = true;
  }

  private async adopt(): Promise<void> {
    await this.receiver.saved();
    const endpoint = await this.tools.ledger.endpoint(this.receiver.lease.webhookId);
    if (endpoint) this.receiver.adopt(endpoint);
    else this.ended = true;
  }

  /** Sends as much as may be sent; how long the next has to wait for its time. */
  private launch(): number {
    const now = this.tools.clock.now();
    if (this.ended || this.outOfTime || this.receiver.room(now) === 0) this.putBack();
    while (this.queue.length > 0 && this.underWay < this.receiver.room(now)) {
      const waitMs = this.receiver.waitMs(now);
      if (waitMs > LONGEST_PAUSE_MS) this.putBack();
      else if (waitMs > 0) return waitMs;
      const due = this.queue.shift();
      if (due) this.send(due, now);
    }
    return Infinity;
  }

  private putBack(): void {
    if (this.queue.length > 0) this.unsent = true;
    this.queue.clear();
  }

  private send(due: DueDelivery, now: number): void {
    this.underWay += 1;
    this.receiver.begin(now);
    void this.deliver(due, now)
      .catch((fault: unknown) => this.fail(fault))
      .finally(() => {
        this.underWay -= 1;
        this.pause.wake();
      });
  }

  /** Without its record an attempt may be followed by nothing; whoever takes the lease next repeats it. */
  private fail(fault: unknown): void {
    this.ended = true;
    this.fault ??= fault;
  }

  private async deliver(due: DueDelivery, startedAt: number): Promise<void> {
    const { ledger, sender, clock, randomness, retry, epoch } = this.tools;
    const { endpoint, lease } = this.receiver;
    const message = statusMessage(due);
    const headers = { ...headersOf(message, endpoint.signers, startedAt), ...epochHeader(epoch?.()) };
    const answered = await sender.post({ webhookId: endpoint.id, url: endpoint.url, headers, body: message.body });
    const made = { answered, startedAt, endedAt: clock.now(), fraction: randomness.fraction() };
    const before = this.receiver.breaker;
    const changed = this.receiver.judge(made);
    const attempt = attemptOf(due, endpoint.url, made, this.receiver.breaker, retry);
    const recorded = await ledger.record(lease, attempt);
    if (!recorded) return void (this.ended = true);
    this.tools.onAttempt(attempt.state);
    if (answered.httpStatus === GONE) {
      this.ended = true;
      return await this.receiver.disable('the receiver answered 410 Gone');
    }
    if (changed && !(await this.receiver.saved())) return void (this.ended = true);
    // What was read while the breaker was open is in the order of its tries: from now on all is due, the oldest first.
    if (!isClosed(before) && isClosed(this.receiver.breaker)) this.putBack();
    if (changed) this.look = true;
    this.goOn(attempt, recorded);
  }

  private goOn(attempt: Attempt, { version, next }: NonNullable<Recorded>): void {
    if (attempt.nextTryAt !== null) this.nextDue = Math.min(this.nextDue ?? Infinity, attempt.nextTryAt);
    this.queue.done(attempt.orderId, next);
    if (version === this.receiver.endpoint.version) return;
    this.putBack();
    this.look = true;
  }

  /** Whether the lease is given up, as it is unless somebody has rung meanwhile. */
  private async finish(): Promise<boolean> {
    const { ledger } = this.tools;
    const { lease, pacedUntil } = this.receiver;
    if (this.ended) {
      // If it is another's by now, this changes nothing.
      await ledger.giveUp(lease, pacedUntil);
      return true;
    }
    if (this.isDrained()) await this.tellCaughtUp();
    try {
      const released = await ledger.release(lease, pacedUntil);
      if (!released) this.look = true;
      return released;
    } catch (fault) {
      this.fail(fault);
      return false;
    }
  }

  private async tellCaughtUp(): Promise<void> {
    await this.receiver.caughtUp().catch((fault: unknown) => this.fail(fault));
  }

  private isDrained(): boolean {
    const { breaker, endpoint } = this.receiver;
    return !this.look && !this.unsent && endpoint.state === 'active' && isClosed(breaker);
  }

  private again(): Ring | undefined {
    const { endpoint, pacedUntil, lease } = this.receiver;
    if (this.ended || endpoint.state !== 'active') return undefined;
    const now = this.tools.clock.now();
    const { state, openUntil } = this.receiver.breaker;
    const isOpen = state === 'open' && openUntil !== null && openUntil > now;
    const isCutShort = this.look || (this.unsent && this.outOfTime);
    const heldUntil = isOpen ? openUntil : this.unsent ? pacedUntil : this.nextDue;
    const at = isCutShort ? now : heldUntil;
    return at === undefined ? undefined : { webhookId: lease.webhookId, at };
  }
}

function isClosed({ state }: Receiver['breaker']): boolean {
  return state === 'closed';
}
