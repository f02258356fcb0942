import { REVIEW_QUEUE } from '#domain/review';

/** True for an order, a row of `orders` or of `work_items`, that the brokers of its seller see. Everything that brokers read goes through here. */
export const isSeen = (order: string) => `${order}.queue is distinct from '${REVIEW_QUEUE}'`;

/** The seller whose brokers see the order; null for nobody's. */
export const seller = (order: string) => `case when ${isSeen(order)} then ${order}.seller end`;

/** Whether brokers of the sellers that a parameter holds see the order; true if it is null, for staff. */
export const isSeenBy = (sellers: string, order = 'o') =>
  `(${sellers}::text[] is null or (${order}.seller = any(${sellers}) and ${isSeen(order)}))`;
