const PREFIX = 'order-';

export function orderStream(orderId: string): string {
  return PREFIX + orderId;
}

/** Undefined for a stream of another kind. */
export function orderIdOf(stream: string): string | undefined {
  return stream.startsWith(PREFIX) ? stream.slice(PREFIX.length) : undefined;
}
