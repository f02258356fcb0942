import { queryOptions, skipToken } from '@tanstack/react-query';
import type { NewRefund, Refund } from '#money/refund.contract';
import { ask } from './http.js';

/** What goes back: an amount, or the price of tickets; and why. */
export type RefundChoice = Pick<NewRefund, 'amount' | 'quantity' | 'keep_fees' | 'reason'>;

/** Oldest first. Read again when the order changes, because `version` is part of the key. */
export const refundsQuery = (orderId: string, version: number) =>
  queryOptions({
    queryKey: ['order', orderId, 'refunds', version],
    queryFn: async ({ signal }) => (await ask('GET orders/{id}/refunds', { path: { id: orderId }, signal })).refunds,
    retry: false,
  });

/** What a refund would do to an order of this version. */
export const refundPreviewQuery = (orderId: string, version: number, choice: RefundChoice | undefined) =>
  queryOptions({
    queryKey: ['order', orderId, 'refund preview', version, choice],
    queryFn: choice
      ? ({ signal }) =>
          ask('GET orders/{id}/refunds/preview', { path: { id: orderId }, query: queryOf(choice), signal })
      : skipToken,
    retry: false,
    gcTime: 0,
  });

function queryOf({ keep_fees: keepFees, ...choice }: RefundChoice) {
  return { ...choice, ...(keepFees !== undefined && { keep_fees: keepFees ? ('true' as const) : ('false' as const) }) };
}

export const requestRefund = (orderId: string, refund: NewRefund): Promise<Refund> =>
  ask('POST orders/{id}/refunds', { path: { id: orderId }, body: refund });

export type RefundAnswer = 'approve' | 'decline';

export function answerRefund(orderId: string, refundId: string, answer: RefundAnswer, note: string): Promise<Refund> {
  const request = { path: { id: orderId, refund_id: refundId }, body: note === '' ? {} : { note } };
  return answer === 'approve'
    ? ask('POST orders/{id}/refunds/{refund_id}/approve', request)
    : ask('POST orders/{id}/refunds/{refund_id}/decline', request);
}
