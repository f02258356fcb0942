const PREFIX = 'order-';

/** Returns the name of the order's event stream. */
export function orderStream(orderId: string): string {
  return PREFIX + orderId;
}

/** Returns the order id from the stream's name; undefined for a stream of another kind. */
export function orderIdOf(stream: string): string | undefined {
  return stream.startsWith(PREFIX) ? stream.slice(PREFIX.length) : undefined;
}
