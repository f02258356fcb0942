import type { OrderSummary } from '#orders/order.contract';

/** The status in words, with a dot in the colour of its kind. */
export function Status({ status, label }: Readonly<{ status: OrderSummary['status']; label?: string }>) {
  return (
    <span
      className={`status ${status?.status ?? 'none'}`}
      title={status ? `${status.status_message} (${status.status_code})` : ''}
    >
      <span aria-label={label}>{status?.status_message ?? '–'}</span>
    </span>
  );
}
