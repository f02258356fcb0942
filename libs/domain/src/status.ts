/** The four values of an order's status (checkout specification, "States and transitions"). */
export const STATUS_VALUES = ['pending', 'confirmed', 'rejected', 'exception'] as const;
export type StatusValue = (typeof STATUS_VALUES)[number];

/** A status object as sent over the wire. It has exactly these three keys (contract, section 4). */
export type Status = Readonly<{ status: StatusValue; status_message: string; status_code: number }>;
