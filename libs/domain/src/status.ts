/** The four values of an order's status (checkout specification, "States and transitions"). */
export type StatusValue = 'pending' | 'confirmed' | 'rejected' | 'exception';

/** A status object exactly as it goes over the wire: these three keys and no others (contract, section 4). */
export type Status = Readonly<{ status: StatusValue; status_message: string; status_code: number }>;
