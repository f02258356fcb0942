/** Where an order stands: `rejected` is final, the others may be followed by any (`pending` only by itself). */
export type OrderStatus = 'pending' | 'confirmed' | 'rejected' | 'exception';

/** `status_code` is unique for the pair of status and message; which there are the marketplace says. */
export type Status = Readonly<{ status: OrderStatus; status_message: string; status_code: number }>;
