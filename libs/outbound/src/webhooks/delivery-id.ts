/** `position` is the position in the ping stream. */
export type DeliveryKey = Readonly<{ webhookId: string; position: number }>;

/** Returns `whd_<hex>_<position>` for webhook `whk_<hex>`. */
export function deliveryId({ webhookId, position }: DeliveryKey): string {
  return `whd_${webhookId.replace(/^whk_/, '')}_${position}`;
}

export function deliveryKey(id: string): DeliveryKey | undefined {
  const parts = /^whd_([0-9a-f]{32})_(0|[1-9]\d{0,14})$/.exec(id);
  return parts ? { webhookId: `whk_${parts[1]}`, position: Number(parts[2]) } : undefined;
}
