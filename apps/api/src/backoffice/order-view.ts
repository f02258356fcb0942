import { Injectable } from '@nestjs/common';
import type { OrderDetail, OrderSummary } from '#contracts/backoffice/order';
import { dollarsOf } from '#domain/money';
import type { PersonalData } from '#ordering/purchase-drafts';
import { type ListedPing, PingQueries } from '#pings/ping-queries';
import { Sealer } from '#platform-auth/sealing';
import { type DetailedOrder, type ListedOrder, OrderQueries } from '#projections/order-queries';

/** Orders as staff see them: dollars, the buyer opened, pings beside the history. */
@Injectable()
export class OrderView {
  constructor(
    private readonly sealer: Sealer,
    private readonly orders: OrderQueries,
    private readonly pings: PingQueries,
  ) {}

  listed(order: ListedOrder): OrderSummary {
    const { status_history: _, ...purchase } = order.purchase;
    return summary(order, purchase, this.personal(order)) as OrderSummary;
  }

  /** Undefined when there is no such order. */
  async detail(orderId: string): Promise<OrderDetail | undefined> {
    const [order, pings] = await Promise.all([this.orders.find(orderId), this.pings.ofOrder(orderId)]);
    return order && this.detailed(order, pings);
  }

  private detailed(order: DetailedOrder, pings: readonly ListedPing[]): OrderDetail {
    const personal = this.personal(order);
    const { payment, trusted, personal_data } = order.summary;
    return {
      ...summary(order, order.purchase, personal),
      status_history: order.purchase.status_history.map((entry, index) => ({
        ...entry,
        actor: order.history[index]?.actor ?? '',
        note: order.history[index]?.note ?? null,
      })),
      buyer: personal?.user ?? null,
      personal_data,
      payment: payment && { ...payment, billing: personal?.billing ?? null },
      trusted,
      pings,
    } as OrderDetail;
  }

  private personal({ id, personal, key }: ListedOrder): PersonalData | undefined {
    return personal && key ? (this.sealer.openPersonal(id, key, personal) as PersonalData) : undefined;
  }
}

function summary(order: ListedOrder, purchase: Partial<ListedOrder['purchase']>, personal: PersonalData | undefined) {
  const { id, version, client_id, variant, stage, transaction_id } = order;
  return {
    ...purchase,
    delivery_method: { type: order.purchase.delivery_method.type, data: { ...personal?.delivery } },
    id,
    version,
    client_id,
    variant,
    stage,
    transaction_id,
    total: dollarsOf(order.total_cents),
    placed_at: order.placed_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  };
}
