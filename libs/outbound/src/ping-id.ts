export type PingKey = Readonly<{ orderId: string; sequence: number }>;

/** Returns `png_<hex>_<sequence>` for order `ord_<hex>`. It is derived, so it needs no lookup. */
export function pingId({ orderId, sequence }: PingKey): string {
  return `png_${orderId.replace(/^ord_/, '')}_${sequence}`;
}

export function pingKey(id: string): PingKey | undefined {
  const parts = /^png_([0-9a-f]{32})_([1-9]\d{0,8})$/.exec(id);
  return parts ? { orderId: `ord_${parts[1]}`, sequence: Number(parts[2]) } : undefined;
}
