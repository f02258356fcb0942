/** Deliveries per second: as many as one worker can send. */
export const FASTEST_DELIVERY = 10_000;
/** Deliveries per second of a webhook that says nothing else. */
export const USUAL_WEBHOOK_RATE = 500;
/** Deliveries per second of a replay that says nothing else. */
export const USUAL_REPLAY_RATE = 100;
