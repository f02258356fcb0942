import { Webhook as Signer } from 'standardwebhooks';
import { NewWebhook } from '#outbound/webhook.contract';
import { SystemClock } from '#base/clock';
import { CLOSED, type CircuitBreaker } from '#delivery-kit/circuit-breaker';
import type { DrainEvent, DrainState, Phase } from '#outbound/webhooks/drain-state';
import type { Endpoint } from '#outbound/endpoint';
import { type DrainDependencies, EndpointDrain } from '#outbound/webhooks/endpoint-drain';
import { Receiver } from '#outbound/webhooks/receiver';
import type { DueDelivery, Lease, WebhookAttempt as Attempt } from '#outbound/webhooks/webhook-ledger';
import type { Outcome } from '#delivery-kit/attempt';
import { ScriptedRandomness } from '../fixed-clock.js';

export type Answer = Readonly<{ status: number; afterMs: number; retryAfterMs?: number | undefined }>;

/** Something that happens while the drain runs. `told` is how the drain learns of a new entry. */
export type SimulationEvent =
  | Readonly<{ what: 'entry'; order: number; told: 'by a wake' | 'by a job' | 'not at all' }>
  | Readonly<{ what: 'error' | 'stop' | 'lease passes to another' | 'pause' | 'resume' | 'remove' }>;

export const CALLS = [
  'ingest',
  'due',
  'record',
  'endpoint',
  'release',
  'saveBreaker',
  'caughtUp',
  'disable',
  'releaseAfterError',
] as const;
type Call = (typeof CALLS)[number];

/** Happens during the n-th call of that name, counted from 0, or at a time in milliseconds. */
export type Planned = Readonly<{
  when: Readonly<{ call: Call; number: number }> | Readonly<{ ms: number }>;
  happens: SimulationEvent;
}>;

export type SimulationPlan = Readonly<{
  entries: readonly number[];
  answers: Iterator<Answer>;
  planned: readonly Planned[];
  lingerMs: number;
  ratePerSecond: number;
  breaker: CircuitBreaker;
}>;

type Row = {
  position: number;
  orderId: string;
  state: Attempt['state'];
  tries: number;
  dueSince: number | null;
  dueAt: number;
};

const WEBHOOK = 'whk_1';
const LEASE: Lease = { webhookId: WEBHOOK, fence: 1 };
const AT_ONCE = 3;
const INGESTED_AT_ONCE = 4;
const CALL_MS = 20;
const RETRY = { firstMs: 300, maxMs: 4_000, forMs: 20_000 };
const BREAKER = { failuresToOpen: 3, firstMs: 400, maxMs: 3_000 };
const SIGNER = new Signer(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);

class Broken extends Error {}

/** A drain with a ledger, a sender and an endpoint in memory. Use fake timers. */
export class DrainSimulation {
  readonly drain: EndpointDrain;
  readonly receiver: Receiver;
  readonly rows: Row[] = [];
  /** The entries of the stream that were not yet taken in. */
  readonly stream: Readonly<{ position: number; orderId: string; told: boolean }>[] = [];
  readonly breaches: string[] = [];
  holdsLease = true;
  inFlight = new Set<string>();
  /** The lease passed to another drain, or a call failed. Another drain does the rest. */
  isInterrupted = false;
  /** Stopped while it held its lease. */
  wasStopped = false;
  private readonly clock = new SystemClock();
  private endpoint: Endpoint | undefined;
  private wokenByJob = false;
  private position = 0;
  private readonly calls: Call[] = [];
  private breaks = false;
  private readonly sent = new Map<string, number>();

  /** @param watch gets every event of the drain, with its phase. */
  constructor(
    private readonly plan: SimulationPlan,
    watch: (phase: Phase, event: DrainEvent) => void,
  ) {
    this.endpoint = this.endpointWith(plan);
    for (const order of plan.entries) this.append(order, true);
    this.receiver = new Receiver(LEASE, this.endpoint, this.record(), {
      retry: RETRY,
      breaker: BREAKER,
      atOnce: AT_ONCE,
    });
    this.drain = new EndpointDrain(this.dependencies(), this.receiver);
    const inside = this.drain as unknown as { state: DrainState; on: (event: DrainEvent) => void };
    const on = inside.on.bind(inside);
    inside.on = (event) => {
      watch(inside.state.phase, event);
      on(event);
    };
    for (const { when, happens } of plan.planned) {
      if ('ms' in when) setTimeout(() => this.happen(happens), when.ms);
    }
  }

  get pending(): readonly Row[] {
    return this.rows.filter(({ state }) => state === 'pending');
  }

  private happen(happening: SimulationEvent): void {
    switch (happening.what) {
      case 'entry':
        this.append(happening.order, happening.told !== 'not at all' && this.holdsLease);
        // The job finds the lease held. When the lease is free, the next job takes it.
        if (happening.told === 'by a job' && this.holdsLease) this.wokenByJob = true;
        if (happening.told === 'by a wake') this.drain.wake();
        return;
      case 'error':
        this.breaks = true;
        return;
      case 'stop':
        this.wasStopped ||= this.holdsLease;
        return this.drain.stop();
      case 'lease passes to another':
        this.holdsLease = false;
        this.isInterrupted = true;
        return;
      case 'remove':
        this.endpoint = undefined;
        this.isInterrupted = true;
        return;
      case 'pause':
      case 'resume': {
        const state = happening.what === 'pause' ? 'paused' : 'active';
        if (this.endpoint) this.endpoint = { ...this.endpoint, state, version: this.endpoint.version + 1 };
        return this.drain.wake();
      }
    }
  }

  private append(order: number, told: boolean): void {
    this.position += 1;
    this.stream.push({ position: this.position, orderId: `ord_${order}`, told });
  }

  private endpointWith({ ratePerSecond, breaker }: SimulationPlan): Endpoint {
    const { url, ...options } = NewWebhook.parse({ url: 'https://a', rate_per_second: ratePerSecond });
    return {
      id: WEBHOOK,
      url,
      credentials: undefined,
      state: 'active',
      version: 1,
      pacedUntil: 0,
      recovering: breaker !== CLOSED,
      signers: [SIGNER],
      options,
      breaker,
    };
  }

  /** A call of the database. It takes effect half way through, unless it fails. */
  private async call<T>(name: Call, does: () => T): Promise<T> {
    const number = this.calls.filter((call) => call === name).length;
    this.calls.push(name);
    await passed(CALL_MS / 2);
    for (const { when, happens } of this.plan.planned)
      if ('call' in when && when.call === name && when.number === number) this.happen(happens);
    if (this.breaks) {
      this.breaks = false;
      this.isInterrupted = true;
      throw new Broken();
    }
    const result = does();
    await passed(CALL_MS / 2);
    return result;
  }

  private dependencies(): DrainDependencies {
    const ledger = {
      ingest: () => this.call('ingest', () => this.ingest()),
      endpoint: () => this.call('endpoint', () => this.endpoint),
      due: (_id: string, { early }: { early: boolean }) =>
        this.call('due', () => this.due(early ? Infinity : this.clock.now())),
      record: (_lease: Lease, attempt: Attempt) => this.call('record', () => this.recordAttempt(attempt)),
      release: () => this.call('release', () => this.release()),
      releaseAfterError: () =>
        this.call('releaseAfterError', () => void (this.holdsLease = false)).catch(
          () => void (this.holdsLease = false),
        ),
    };
    return {
      // It has all functions that a drain calls.
      ledger: ledger as unknown as DrainDependencies['ledger'],
      destinations: { send: ({ body }) => this.post(body) },
      clock: this.clock,
      randomness: new ScriptedRandomness(0.5),
      retry: RETRY,
      onAttempt: () => undefined,
      lingerMs: () => this.plan.lingerMs,
    };
  }

  private record() {
    const held = (name: Call) => this.call(name, () => this.holdsLease && this.endpoint !== undefined);
    const record = {
      saveBreaker: async (_lease: Lease, before: CircuitBreaker, after: CircuitBreaker) => {
        const isHeld = await held('saveBreaker');
        if (isHeld && before.state !== 'closed' && after.state === 'closed')
          for (const row of this.pending) row.dueAt = 0;
        return isHeld;
      },
      caughtUp: () => held('caughtUp'),
      disable: () =>
        this.call('disable', () => {
          [this.holdsLease, this.isInterrupted] = [false, true];
          return true;
        }),
    };
    return record as unknown as ConstructorParameters<typeof Receiver>[2];
  }

  private ingest() {
    if (!this.holdsLease || !this.endpoint) return undefined;
    const taken = this.stream.splice(0, INGESTED_AT_ONCE);
    for (const { position, orderId } of taken) {
      const earlier = this.pending.filter((row) => row.orderId === orderId).map(({ dueAt }) => dueAt);
      const dueAt = Math.max(this.clock.now(), ...earlier);
      this.rows.push({ position, orderId, state: 'pending', tries: 0, dueSince: null, dueAt });
    }
    return { version: this.endpoint.version, more: taken.length === INGESTED_AT_ONCE };
  }

  private due(until: number) {
    const heads = this.pending.filter(
      (row) => !this.pending.some((e) => e.orderId === row.orderId && e.position < row.position),
    );
    const now = this.clock.now();
    const later = this.pending.map(({ dueAt }) => dueAt).filter((at) => at > now);
    return {
      due: heads.filter(({ dueAt }) => dueAt <= until).map(delivery),
      nextDue: later.length > 0 ? Math.min(...later) : undefined,
    };
  }

  private recordAttempt(attempt: Attempt) {
    if (!this.holdsLease || !this.endpoint) return undefined;
    const row = this.rows.find(({ position }) => position === attempt.position);
    if (row?.state === 'pending') {
      Object.assign(row, {
        state: attempt.state,
        tries: row.tries + 1,
        dueSince: attempt.dueSince,
        dueAt: attempt.nextTryAt ?? 0,
      });
    }
    const ofOrder = this.pending.filter(({ orderId }) => orderId === attempt.orderId);
    if (attempt.state === 'pending') for (const later of ofOrder) later.dueAt = Math.max(later.dueAt, row?.dueAt ?? 0);
    const next = attempt.state === 'pending' ? undefined : ofOrder.find(({ dueAt }) => dueAt <= this.clock.now());
    return { version: this.endpoint.version, next: next && delivery(next) };
  }

  private release(): boolean {
    if (this.wokenByJob) {
      this.wokenByJob = false;
      return false;
    }
    this.holdsLease = false;
    return true;
  }

  private async post(body: string): Promise<Outcome> {
    const { position, orderId } = (JSON.parse(body) as { data: { position: number; orderId: string } }).data;
    if (this.inFlight.has(orderId)) this.breaches.push(`two of ${orderId} at once`);
    if (this.inFlight.size >= AT_ONCE) this.breaches.push('too many at once');
    if (position < (this.sent.get(orderId) ?? 0)) this.breaches.push(`${position} of ${orderId} after a later one`);
    this.sent.set(orderId, position);
    this.inFlight.add(orderId);
    const { status, afterMs, retryAfterMs } = this.plan.answers.next().value as Answer;
    await passed(afterMs);
    this.inFlight.delete(orderId);
    return { httpStatus: status, error: status < 300 ? null : `answered ${status}`, answer: null, retryAfterMs };
  }
}

function delivery({ position, orderId, tries, dueSince }: Row): DueDelivery {
  return {
    position,
    orderId,
    tries,
    dueSince,
    type: 'order.status',
    id: `png_${position}`,
    occurred_at: '',
    json: JSON.stringify({ position, orderId }),
    traceparent: null,
  };
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
