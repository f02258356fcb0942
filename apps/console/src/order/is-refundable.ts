import type { OrderDetail } from '#orders/order.contract';

/** While a dispute is open, the bank decides about the money. */
export const isRefundable = ({ payment }: OrderDetail): boolean =>
  payment !== null && payment.refundable > 0 && payment.state !== 'disputed';
