import { moneyLeft } from '#domain/payment-amounts';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type JobKind, type JobPreview, type JobResult, ORDER_JOB_KINDS, type OrderJobKind } from '../job.contract.js';
import { dollarsOf } from '#domain/money';
import { effectsOf, stockMoves } from '#domain/order-effects';
import type { OrderEvent } from '#domain/order-events';
import { evolve, type KnownOrder, type Order } from '#domain/order-state';
import type { RecordedEvent } from '#event-store/event';
import { DeskBatch, type DeskChange, deskChange } from './desk-batch.js';
import { ShowNoteBatch } from './show-note-batch.js';
import { isShowKind } from './show-runs.js';
import { asksBuyers, isNotedChange, isRefunding, type JobItem, type JobRow } from '../job.js';
import { JobRefunds } from './job-refunds.js';
import { JobSelection, MOST_ORDERS, type Selection } from './job-selection.js';
import { SELECT_CHANGED_ITEMS, SELECT_ITEMS } from './job-statements.js';
import { isEvents, OrderBatch, type OrderDecision } from './order-batch.js';
import type { CommandKind, JobCommand } from './order-commands.js';

type Decided = Readonly<{ kind: OrderJobKind; arguments: Readonly<Record<string, unknown>>; isUndo?: boolean }>;
type PreviewedJob = Decided & Readonly<{ orders: Selection }>;
type Item = Pick<JobItem, 'order_id'> & Partial<JobItem>;

/** What a job would do. Who asks for it decides whether it waits for somebody. */
export type JobEffects = Omit<JobPreview, 'needs_approval'>;

// Other requests are answered between two chunks.
const CHUNK = 200;
const SHOWN = 20;

/** Says what a job would do, by deciding on each of its orders as the job itself does. */
@Injectable()
export class JobPreviews {
  constructor(
    private readonly pool: Pool,
    private readonly selection: JobSelection,
    private readonly batch: OrderBatch,
    private readonly notes: ShowNoteBatch,
    private readonly desk: DeskBatch,
  ) {}

  /** Undefined if it would have more than `MOST_ORDERS` orders. */
  async of(job: PreviewedJob): Promise<JobEffects | undefined> {
    const { text, values } = this.selection.query(job.orders);
    const { rows } = await this.pool.query<{ order_id: string }>(text, values);
    return rows.length > MOST_ORDERS ? undefined : await this.ofItems(rows, job);
  }

  /** What a job that waits would do now. The orders of a show are chosen again, as they are when it begins. */
  async ofWaiting({ id, kind, selection, arguments: given, undoes }: JobRow): Promise<JobEffects | undefined> {
    if (!isOrderKind(kind)) return undefined;
    const job = { kind, arguments: given, isUndo: undoes !== null };
    const { event_id } = selection;
    if (isShowKind(kind) && event_id !== undefined && !job.isUndo)
      return await this.of({ ...job, orders: { event_id } });
    const { rows } = await this.pool.query<JobItem>(SELECT_ITEMS, [id]);
    return await this.ofItems(rows, job);
  }

  /** What taking a job back would do. Undefined if it does not change orders. */
  async ofUndo({ id, kind, arguments: given }: JobRow): Promise<JobEffects | undefined> {
    if (!isOrderKind(kind)) return undefined;
    const { rows } = await this.pool.query<JobItem>(SELECT_CHANGED_ITEMS, [id]);
    return await this.ofItems(rows, { kind, arguments: given, isUndo: true });
  }

  private async ofItems(items: readonly Item[], job: Decided): Promise<JobEffects> {
    const summary = new Summary();
    for (let from = 0; from < items.length; from += CHUNK) {
      await this.add(items.slice(from, from + CHUNK), job, summary);
    }
    return summary.shown();
  }

  private async add(items: readonly Item[], job: Decided, summary: Summary): Promise<void> {
    const { kind, isUndo = false } = job;
    const change = deskChange(kind, job.arguments);
    if (change) return await this.addBeside(items, change, { isUndo, summary });
    const command = { id: '', actor: '', kind: kind as CommandKind, arguments: job.arguments, note: undefined, isUndo };
    if (isNotedChange(kind)) {
      await this.addNoted(items, summary);
      return asksBuyers(kind, job.arguments) ? await this.addAsked(items, command, summary) : undefined;
    }
    if (isRefunding(kind) && !isUndo) summary.countRefunds();
    const streams = await this.batch.read(items);
    for (const [index, { state, events }] of streams.entries()) {
      const item = items[index];
      if (!item) continue;
      const decision = this.batch.decide(state, command, item);
      summary.add(item.order_id, state, decision);
      if (isEvents(decision)) summary.addRefunds(state, events, decision);
    }
  }

  private async addBeside(
    items: readonly Item[],
    change: DeskChange,
    { isUndo, summary }: Readonly<{ isUndo: boolean; summary: Summary }>,
  ): Promise<void> {
    const ids = items.map(({ order_id: orderId }) => orderId);
    const results = isUndo
      ? await this.desk.undoable(this.pool, items, change)
      : await this.desk.outcomes(this.pool, ids, change);
    for (const [index, result] of results.entries()) summary.add(ids[index] ?? '', { known: false }, result);
  }

  private async addAsked(items: readonly Item[], command: JobCommand, summary: Summary): Promise<void> {
    for (const [index, { state }] of (await this.batch.read(items)).entries()) {
      const item = items[index];
      if (item && isEvents(this.batch.decide(state, command, item))) summary.addChoice();
    }
  }

  private async addNoted(items: readonly Item[], summary: Summary): Promise<void> {
    const ids = items.map(({ order_id: orderId }) => orderId);
    for (const [index, result] of (await this.notes.outcomes(this.pool, ids)).entries()) {
      summary.add(ids[index] ?? '', { known: false }, result);
      if (result.outcome === 'done') summary.addNote();
    }
  }
}

const isOrderKind = (kind: JobKind): kind is OrderJobKind => ORDER_JOB_KINDS.some((one) => one === kind);

class Summary {
  private total = 0;
  private refused = 0;
  private unchanged = 0;
  private readonly effects = { ping: 0, refund: 0, restock: 0, note: 0, choice: 0 };
  private cents = 0;
  private tickets = 0;
  private refunds: JobRefunds | undefined;
  private readonly refusedSample: JobResult[] = [];
  private readonly allowedSample: JobResult[] = [];

  add(orderId: string, order: Order, decision: OrderDecision): void {
    this.total += 1;
    const result = resultOf(orderId, decision);
    const isRefused = result.outcome === 'refused';
    if (isRefused) this.refused += 1;
    if (result.outcome === 'unchanged') this.unchanged += 1;
    const sample = isRefused ? this.refusedSample : this.allowedSample;
    if (sample.length < SHOWN) sample.push(result);
    if (isEvents(decision) && order.known) this.addEffects(order, decision);
  }

  /** Also shows none. */
  countRefunds(): void {
    this.refunds ??= new JobRefunds();
  }

  addRefunds(order: Order, before: readonly RecordedEvent<OrderEvent>[], events: readonly OrderEvent[]): void {
    const cents = this.refunds?.add(order, before, events) ?? 0;
    if (cents === 0) return;
    this.effects.refund += 1;
    this.cents += cents;
  }

  addChoice(): void {
    this.effects.choice += 1;
  }

  addNote(): void {
    this.effects.note += 1;
  }

  shown(): JobEffects {
    return {
      total: this.total,
      allowed: this.total - this.refused - this.unchanged,
      unchanged: this.unchanged,
      refused: this.refused,
      effects: this.effects,
      amount_returned: dollarsOf(this.cents),
      tickets_returned: this.tickets,
      ...(this.refunds && { by_provider: this.refunds.shown() }),
      sample: [...this.refusedSample, ...this.allowedSample].slice(0, SHOWN),
    };
  }

  private addEffects(order: KnownOrder, events: readonly OrderEvent[]): void {
    const after = events.reduce<Order>(
      (state, event) => evolve(state, { ...event, recorded_at: order.updatedAt }),
      order,
    );
    if (!after.known) return;
    const effects = effectsOf(order, after);
    if (effects.includes('ping')) this.effects.ping += 1;
    if (effects.includes('return_payment')) {
      this.effects.refund += 1;
      this.cents += moneyLeft(order);
    }
    if (effects.includes('return_difference')) {
      this.effects.refund += 1;
      this.cents += after.differenceDue?.cents ?? 0;
    }
    if (!effects.includes('restock')) return;
    this.effects.restock += 1;
    for (const { taken } of stockMoves(order, after)) if (taken < 0) this.tickets -= taken;
  }
}

function resultOf(orderId: string, decision: OrderDecision): JobResult {
  if (isEvents(decision) || decision === 'later') return { order_id: orderId, outcome: 'done' };
  const { outcome, reason } = decision;
  return { order_id: orderId, outcome, ...(reason !== undefined && { reason }) };
}
