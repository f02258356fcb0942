/** An event about to be recorded: its type and what happened. */
export type NewEvent = Readonly<{ type: string; data: object }>;

/** What is known of the options of an append; kept with each of its events. */
export type Metadata = Readonly<{
  /** The platform's transaction id, or one of ours (`req_…`) where it sent none. */
  transaction_id: string;
  /** Who did it: `platform:<client id>`, `staff:<name>` or `system:<what>`. */
  actor: string;
}>;

/** An event as it stands in the log. Of several types it is told apart by `type`. */
export type RecordedEvent<E extends NewEvent = NewEvent> = E &
  Readonly<{
    stream: string;
    /** 1 for the first event of its stream, then dense. */
    position: number;
    event_id: string;
    metadata: Metadata;
    /** ISO 8601, UTC, milliseconds. */
    recorded_at: string;
  }>;
