/** Checkout specification, "States and transitions". */
export const STATUS_VALUES = ['pending', 'confirmed', 'rejected', 'exception'] as const;
export type StatusValue = (typeof STATUS_VALUES)[number];

/** Exactly these three keys go over the wire: platforms read no others. */
export type Status = Readonly<{ status: StatusValue; status_message: string; status_code: number }>;
