export type NewEvent = Readonly<{ type: string; data: object }>;

/** The origin of an append, stored with each of its events. */
export type Metadata = Readonly<{
  /** The platform's transaction id, or our own (`req_…`) if it sent none. */
  transaction_id: string;
  /** Who did it: `platform:<client id>`, `staff:<name>` or `system:<what>`. */
  actor: string;
  /** The span that appended it (W3C Trace Context), if a trace was recorded. What follows from the event continues that trace. */
  traceparent?: string;
}>;

export type RecordedEvent<E extends NewEvent = NewEvent> = E &
  Readonly<{
    stream: string;
    /** Starts at 1 in each stream, without gaps. */
    position: number;
    event_id: string;
    metadata: Metadata;
    /** ISO 8601, UTC, milliseconds. */
    recorded_at: string;
  }>;
