import { PAYING, REVIEW_QUEUE } from '#domain/order-access';

// The rule of the domain, who sees which order, in SQL. A parameter `sellers` holds the caller's sellers, or null for staff.

/** Whether the caller sees an order, a row of `orders`. */
export const isSeenBy = (sellers: string, order = 'o') =>
  `(${sellers}::text[] is null or (${order}.seller = any(${sellers}) and ${isShown(order)}))`;

const isShown = (order: string) =>
  `${order}.stage <> '${PAYING}' and ${order}.queue is distinct from '${REVIEW_QUEUE}'`;

/** The seller whose brokers see an order; null for nobody's. Tables that count orders keep it as their `seller`. */
export const seenSeller = (order: string) => `case when ${isShown(order)} then ${order}.seller end`;

/** Whether the caller sees what a row counts or lists that keeps `seenSeller`. */
export const isKeptFor = (sellers: string, row: string) =>
  `(${sellers}::text[] is null or ${row}.seller = any(${sellers}))`;
