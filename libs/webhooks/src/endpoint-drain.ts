import type { Clock } from '#runtime/clock';
import type { Randomness } from '#runtime/randomness';
import { Pause } from '#runtime/pause';
import type { RetryPolicy } from '#delivery/retry-schedule';
import { attemptOf } from './attempts.js';
import { type Command, decide, isDrained, isOutOfTime, lookAgainAt, type Observation } from './drain-decision.js';
import { beginningOf, type DrainEvent, type DrainState, transition } from './drain-state.js';
import { DeliveryQueue } from './delivery-queue.js';
import type { Receiver } from './receiver.js';
import type { Attempt, DueDelivery, Recorded, WebhookLedger } from './webhook-ledger.js';
import { epochHeader, headersOf, statusMessage } from './webhook-message.js';
import type { WebhookSender } from './webhook-sender.js';
import { DUE_AT_ONCE } from './webhook-ledger-statements.js';

/** An endpoint whose deliveries are to be looked at, and when (milliseconds since the epoch). */
export type Wakeup = Readonly<{ webhookId: string; at: number }>;

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

const GONE = 410;

/**
 * Sends what is due to one endpoint: several orders side by side, each order's first to last. Its states are in drain-state.ts, what it
 * does in each of them in drain-decision.ts; here is only the doing.
 */
export class EndpointDrain {
  private readonly queue = new DeliveryQueue();
  private readonly pause = new Pause();
  private state: DrainState;

  constructor(
    private readonly tools: DrainTools,
    private readonly receiver: Receiver,
  ) {
    this.state = beginningOf(tools.clock.monotonic() + SLICE_MS);
  }

  /** There may be something new. */
  wake(): void {
    this.on({ is: 'wake' });
    this.pause.wake();
  }

  /** Finishes what is under way, and no more. */
  stop(): void {
    this.on({ is: 'stop' });
    this.pause.wake();
  }

  /**
   * Ends when nothing is due, or nothing may be sent. When the endpoint is to be looked at again comes back. Throws what went
   * wrong, once nothing is under way.
   */
  async run(): Promise<Wakeup | undefined> {
    for (;;) {
      const command = decide(this.state, this.observe());
      if (command.do === 'end') break;
      const doing = this.carryOut(command);
      // What is sent at once begins in one turn of the event loop.
      if (doing) await doing;
    }
    if (this.state.fault !== undefined) throw this.state.fault;
    return this.again();
  }

  private on(event: DrainEvent): void {
    this.state = transition(this.state, event);
  }

  private observe(): Observation {
    const { clock, lingerMs } = this.tools;
    const now = clock.now();
    return {
      now,
      monotonic: clock.monotonic(),
      queued: this.queue.length,
      room: this.receiver.room(now),
      waitMs: this.receiver.waitMs(now),
      lingerMs: lingerMs(),
      isHealthy: this.receiver.isHealthy,
    };
  }

  private carryOut(command: Command): Promise<void> | void {
    switch (command.do) {
      case 'read':
        return this.read();
      case 'send':
        return this.send();
      case 'putBack':
        return this.putBack();
      case 'look':
        return this.on({ is: 'wake' });
      case 'wait':
        return this.pause.wait(command.ms);
      case 'linger':
        return this.linger(command.ms);
      case 'release':
        return this.release();
      case 'giveUp':
        return this.giveUp();
    }
  }

  private async read(): Promise<void> {
    const { ledger, clock } = this.tools;
    const { lease } = this.receiver;
    this.on({ is: 'read', at: clock.monotonic() });
    this.queue.beginRead();
    try {
      const taken = await ledger.takeIn(lease);
      if (!taken) return this.on({ is: 'lose' });
      if (taken.version !== this.receiver.endpoint.version && !(await this.adopt())) return this.on({ is: 'lose' });
      if (this.receiver.room(clock.now()) === 0) return this.on({ is: taken.more ? 'readSome' : 'readAll' });
      const early = this.receiver.breaker.state !== 'closed';
      const { due, nextDue } = await ledger.due(lease.webhookId, { early });
      const hasAll = this.queue.add(due) && due.length < DUE_AT_ONCE && !taken.more;
      this.on({ is: hasAll ? 'readAll' : 'readSome', due: { next: nextDue } });
    } catch (fault) {
      this.on({ is: 'lose', fault });
    }
  }

  /** False when the endpoint is gone. */
  private async adopt(): Promise<boolean> {
    await this.receiver.saved();
    const endpoint = await this.tools.ledger.endpoint(this.receiver.lease.webhookId);
    if (endpoint) this.receiver.adopt(endpoint);
    return endpoint !== undefined;
  }

  private putBack(): void {
    if (this.queue.length > 0) this.on({ is: 'putBack' });
    this.queue.clear();
  }

  private send(): void {
    const due = this.queue.shift();
    if (!due) return;
    const now = this.tools.clock.now();
    this.on({ is: 'send' });
    this.receiver.begin(now);
    void this.deliver(due, now)
      // Without its record an attempt may be followed by nothing; whoever takes the lease next repeats it.
      .catch((fault: unknown) => this.on({ is: 'lose', fault }))
      .finally(() => {
        this.on({ is: 'sent' });
        this.pause.wake();
      });
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
    if (!recorded) return this.on({ is: 'lose' });
    this.tools.onAttempt(attempt.state);
    if (answered.httpStatus === GONE) {
      this.on({ is: 'lose' });
      return await this.receiver.disable('the receiver answered 410 Gone');
    }
    if (changed && !(await this.receiver.saved())) return this.on({ is: 'lose' });
    // What was read while the breaker was open is in the order of its tries: from now on all is due, the oldest first.
    if (before.state !== 'closed' && this.receiver.breaker.state === 'closed') this.putBack();
    if (changed) this.on({ is: 'wake' });
    this.goOn(attempt, recorded);
  }

  private goOn(attempt: Attempt, { version, next }: NonNullable<Recorded>): void {
    if (attempt.nextTryAt !== null) this.on({ is: 'postponed', until: attempt.nextTryAt });
    this.queue.done(attempt.orderId, next);
    if (version === this.receiver.endpoint.version) return;
    this.putBack();
    this.on({ is: 'wake' });
  }

  /** Nothing is left: waits a little for more. */
  private async linger(ms: number): Promise<void> {
    if (await this.tellCaughtUp()) this.on({ is: 'linger', until: this.tools.clock.monotonic() + ms });
  }

  private async release(): Promise<void> {
    const { lease, pacedUntil, isHealthy } = this.receiver;
    if (isDrained(this.state, { isHealthy }) && !(await this.tellCaughtUp())) return;
    this.on({ is: 'release' });
    try {
      const released = await this.tools.ledger.release(lease, pacedUntil);
      this.on({ is: released ? 'released' : 'wokenAtRelease' });
    } catch (fault) {
      this.on({ is: 'lose', fault });
    }
  }

  /** If the lease is another's by now, this changes nothing. */
  private async giveUp(): Promise<void> {
    await this.tools.ledger.giveUp(this.receiver.lease, this.receiver.pacedUntil);
    this.on({ is: 'giveUp' });
  }

  /** False where that failed. */
  private async tellCaughtUp(): Promise<boolean> {
    try {
      await this.receiver.caughtUp();
      return true;
    } catch (fault) {
      this.on({ is: 'lose', fault });
      return false;
    }
  }

  private again(): Wakeup | undefined {
    const { endpoint, breaker, pacedUntil, lease } = this.receiver;
    const { clock, lingerMs } = this.tools;
    const at = lookAgainAt(this.state, {
      now: clock.now(),
      isActive: endpoint.state === 'active',
      openUntil: breaker.state === 'open' ? breaker.openUntil : null,
      pacedUntil,
      outOfTime: isOutOfTime(this.state, { monotonic: clock.monotonic(), lingerMs: lingerMs() }),
    });
    return at === undefined ? undefined : { webhookId: lease.webhookId, at };
  }
}
