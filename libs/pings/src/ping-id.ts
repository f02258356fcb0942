/** A ping is named by its order and its place among the order's pings, 1 for the first. */
export type PingKey = Readonly<{ orderId: string; sequence: number }>;

/** `png_<hex>_<sequence>` for order `ord_<hex>`: derived, so that it is known wherever the order is. */
export function pingId({ orderId, sequence }: PingKey): string {
  return `png_${orderId.replace(/^ord_/, '')}_${sequence}`;
}

/** The ping of this id; undefined when no ping can have it. */
export function pingKey(id: string): PingKey | undefined {
  const parts = /^png_([0-9a-f]{32})_([1-9]\d{0,8})$/.exec(id);
  return parts ? { orderId: `ord_${parts[1]}`, sequence: Number(parts[2]) } : undefined;
}
