import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { FraudField } from '../order-condition.contract.js';
import { DatabaseClock } from '#database/database-clock';
import type { Status } from '#domain/status';
import { Clock } from '#base/clock';
import { OrderRules } from '../order-changes.js';
import type { BuyerClues } from './buyer-clues.js';
import { type CompiledPolicy, type CompiledRule, neededBy, verdictOf } from './compiled-rules.js';
import { FraudLookups } from './fraud-lookups.js';
import { type PastPurchase, PastPurchases, screenedPurchase } from './past-purchases.js';
import { PurchaseCountQueries, WINDOW_MS } from './purchase-counts.js';
import { type FraudFacts, NO_FRAUD_FACTS, purchaseFacts, waitingFacts } from './purchase-facts.js';
import { PurchaseWindow } from './purchase-window.js';

export type Period = Readonly<{ from: string | undefined; to: string | undefined }>;

/** `newest`: the ids of the last orders, newest first. Times are ISO 8601. */
export type DryRunResult = Readonly<{
  orders: number;
  newest: readonly string[];
  /** How many purchases were looked at: all between `from` and `to`. */
  lookedAt: number;
  from: string;
  to: string;
  /** Whether that is the whole period that was asked for. */
  complete: boolean;
}>;

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 30;
const MOST_SAMPLES = 10;
// About half a minute of work and rest. More is for a shorter period.
const MOST_PURCHASES = 100_000;
const LONGEST_REST_MS = 100;

/** What policies and fraud rules would have done with the purchases of the past. They use the same conditions and facts as live. */
@Injectable()
export class ScreeningDryRuns {
  constructor(
    private readonly past: PastPurchases,
    private readonly counts: PurchaseCountQueries,
    private readonly lookups: FraudLookups,
    private readonly rules: OrderRules,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** The orders that waited for their broker, and that the policy would have answered. */
  async ofPolicy({ policy, matches }: CompiledPolicy, period: Period, most = MOST_PURCHASES): Promise<DryRunResult> {
    const found = new Found();
    const { status: pending } = this.rules.catalogue.role('pending_confirmation');
    const seen = await this.periodOf(period, most);
    for await (const purchases of this.slices(seen.from, seen.to)) {
      for (const purchase of purchases) {
        found.look();
        if (purchase.first_status !== pending.status_code) continue;
        if (policy.action === 'accept' && purchase.received.product.speculative) continue;
        if (matches(waitingFacts(screenedPurchase(purchase), pending))) found.add(purchase.id);
      }
    }
    return { ...found.result, ...seen };
  }

  /** The purchases that the rules would have held or rejected, or with `fires` those for which at least one would have fired. */
  async ofFraudRules(
    rules: readonly CompiledRule[],
    period: Period,
    fires: boolean,
    most = MOST_PURCHASES,
  ): Promise<DryRunResult> {
    const found = new Found();
    const needs = neededBy(rules);
    const seen = await this.periodOf(period, most);
    const { from, to } = seen;
    const windows = { email: new PurchaseWindow(), address: new PurchaseWindow(), card: new PurchaseWindow() };
    // The first purchases of the period are counted with those of the day before.
    const readFrom = needs.some((field) => field.endsWith('_24h')) ? beforeThat(from, WINDOW_MS) : from;
    for await (const purchases of this.slices(readFrom, to)) {
      const repeated = needs.includes('first_order') ? await this.counts.repeated(purchases) : NOBODY;
      for (const purchase of purchases) {
        const clues = needs.some((field) => OF_CLUES.includes(field)) ? this.past.cluesOf(purchase) : undefined;
        const counted = this.counted(purchase, clues, windows);
        if (purchase.placed_at < new Date(from)) continue;
        found.look();
        if (purchase.received.trusted) continue;
        const facts: FraudFacts = {
          ...NO_FRAUD_FACTS,
          ...counted,
          first_order: !repeated.has(purchase.id),
          ...(clues && (await this.lookups.ofClues(clues, needs))),
        };
        const { verdict, rules: fired } = verdictOf(rules, purchaseFacts(screenedPurchase(purchase)), facts);
        if (fires ? fired.length > 0 : verdict !== 'passed') found.add(purchase.id);
      }
    }
    return { ...found.result, ...seen };
  }

  /** Purchases from before the first fraud rule have no digest of their address, and none of their card can be made. */
  private counted(
    { placed_at: placedAt, email, address, card }: PastPurchase,
    clues: BuyerClues | undefined,
    windows: Readonly<Record<'email' | 'address' | 'card', PurchaseWindow>>,
  ): Partial<FraudFacts> {
    const known = address ?? (clues && this.lookups.digestsOf(clues).address[0]) ?? null;
    const count = (window: PurchaseWindow, digest: Buffer | null) =>
      digest && window.add(digest.toString('hex'), placedAt.getTime());
    return {
      email_orders_24h: count(windows.email, email),
      address_orders_24h: count(windows.address, known),
      card_orders_24h: count(windows.card, card),
    };
  }

  private get review(): Status {
    return this.rules.catalogue.role('manual_review').status;
  }

  /** Rests after each slice as long as it took, so that a dry run leaves at least half of the processor to others. */
  private async *slices(from: string, to: string): AsyncGenerator<readonly PastPurchase[]> {
    let beganAt = this.clock.monotonic();
    for await (const purchases of this.past.between(from, to, this.review)) {
      yield purchases;
      await sleep(Math.min(LONGEST_REST_MS, this.clock.monotonic() - beganAt));
      beganAt = this.clock.monotonic();
    }
  }

  /** The newest part of the period with at most so many purchases. */
  private async periodOf({ from, to }: Period, most: number): Promise<Pick<DryRunResult, 'from' | 'to' | 'complete'>> {
    const end = new Date(to ?? this.clock.now() + 1).toISOString();
    const asked = new Date(from ?? beforeThat(end, DEFAULT_DAYS * DAY_MS)).toISOString();
    const bounded = await this.past.boundedFrom(asked, end, most);
    return { from: bounded, to: end, complete: bounded === asked };
  }
}

/** What has to be read from a buyer's data. */
const OF_CLUES: readonly FraudField[] = ['address_orders_24h', 'distance_km', 'disposable_email'];

const NOBODY: ReadonlySet<string> = new Set();

function beforeThat(at: string, ms: number): string {
  return new Date(Date.parse(at) - ms).toISOString();
}

class Found {
  #lookedAt = 0;
  #orders = 0;
  #newest: string[] = [];

  look(): void {
    this.#lookedAt += 1;
  }

  add(id: string): void {
    this.#orders += 1;
    this.#newest.unshift(id);
    if (this.#newest.length > MOST_SAMPLES) this.#newest.pop();
  }

  get result(): Pick<DryRunResult, 'orders' | 'newest' | 'lookedAt'> {
    return { orders: this.#orders, newest: this.#newest, lookedAt: this.#lookedAt };
  }
}
