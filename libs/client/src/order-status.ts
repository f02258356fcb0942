/** The status of an order. `rejected` is final. Any status may follow the others, but `pending` may follow only itself. */
export type OrderStatus = 'pending' | 'confirmed' | 'rejected' | 'exception';

/** `status_code` is unique for the pair of status and message. The marketplace defines the codes. */
export type Status = Readonly<{ status: OrderStatus; status_message: string; status_code: number }>;
