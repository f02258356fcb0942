import { Inject, Injectable } from '@nestjs/common';
import type { ParsedCondition } from '#orders/order-condition.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { askedDigests } from '#orders/buyer-digests';
import type { BuyerField } from '#orders/buyer-folding';
import { conditionSql, Parameters } from '#orders/condition-sql';

/** Which orders a job is for. */
export type Selection =
  Readonly<{ where: ParsedCondition }> | Readonly<{ ids: readonly string[] }> | Readonly<{ event_id: string }>;

/** A job with more orders would be too long for one preview and one statement. */
export const MOST_ORDERS = 100_000;

/** Finds the orders of a job, oldest first. */
@Injectable()
export class JobSelection {
  constructor(
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
  ) {}

  /**
   * A query of the column `order_id`, in the order of the work. Given ids are returned also if there is no such order, and once if
   * they are given twice.
   */
  query(selection: Selection): { text: string; values: unknown[] } {
    if ('ids' in selection) {
      const text = `select given as order_id from (select distinct on (given) given, place
        from unnest($1::text[]) with ordinality as list (given, place) order by given, place) as one order by place`;
      return { text, values: [selection.ids] };
    }
    const parameters = new Parameters();
    const condition =
      'where' in selection ? this.condition(selection.where, parameters) : this.ofShow(selection, parameters);
    const text = `select o.id as order_id from orders o where ${condition} order by o.placed_at, o.id limit ${MOST_ORDERS + 1}`;
    return { text, values: parameters.values };
  }

  private condition(where: ParsedCondition, parameters: Parameters): string {
    const context = {
      now: this.clock.iso(),
      partnerNotesOnly: false,
      digests: (field: BuyerField, value: string) => askedDigests(this.sealer, field, value),
    };
    return conditionSql(where, context, parameters);
  }

  /** Purchases that never became orders are left out. */
  private ofShow(selection: Readonly<{ event_id: string }>, parameters: Parameters): string {
    return `o.event_id = ${parameters.add(selection.event_id)} and o.stage in ('placed', 'awaiting_payment')`;
  }
}
