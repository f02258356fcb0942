import type { Settings } from '#base/settings';
import type { Fulfillment } from '#domain/order-events';
import { isTrackingNumber } from '#domain/tracking-number';

/** What the settings refuse of a shipment, in words that name the field. */
export function shipmentIssue(
  fulfillment: Fulfillment,
  { CARRIERS, TRACKING_NUMBERS }: Pick<Settings, 'CARRIERS' | 'TRACKING_NUMBERS'>,
): string | undefined {
  if (fulfillment.type !== 'ship') return undefined;
  const { carrier, tracking_number: number } = fulfillment.data;
  if (!CARRIERS.includes(carrier)) return `data.carrier must be one of ${CARRIERS.join(', ')}`;
  if (TRACKING_NUMBERS !== 'checked' || isTrackingNumber(carrier, number)) return undefined;
  return `data.tracking_number must be one of ${carrier}, with its check digit`;
}
