import { z } from 'zod';
import type { DeliveryType } from '#domain/pricing';
import { emailAddress, emailAddressOrEmpty } from '#base/email-address';
import { anyText, coded, requiredText } from '#web/coded-text.contract';
import {
  addressFields,
  addressOf,
  knownPostalCode,
  knownState,
  lastName,
  placeOf,
  regionFields,
  SHIPPING,
} from './postal-address.contract.js';

export const DELIVERY_TYPES = ['ship', 'download', 'transfer', 'will_call'] as const satisfies DeliveryType[];

const { error } = coded(40001);

const ShippingAddress = z
  .object({ ...addressFields(SHIPPING), phone: anyText(SHIPPING.address) })
  .check(knownState(SHIPPING), knownPostalCode)
  .meta({ id: 'ShippingAddress' });

const Shipment = z
  .object({ type: z.literal('ship'), data: ShippingAddress })
  .transform(({ type, data }) => ({ type, data: { ...addressOf(data), phone: data.phone } }));

const Download = z
  .object({
    type: z.literal('download'),
    data: z.object({ email: emailAddressOrEmpty(error).nullish() }).nullish(),
  })
  .transform(({ type, data }) => ({ type, data: data?.email ? { email: data.email } : {} }));

const Transfer = z.object({
  type: z.literal('transfer'),
  data: z.object({ email: emailAddress(error) }),
});

const WillCall = z.object({
  type: z.literal('will_call'),
  data: z.object({ first_name: requiredText(), last_name: lastName() }),
});

/** The delivery of the tickets: `{type, data}` of the contract. */
export const DeliveryMethod = z
  .discriminatedUnion('type', [Shipment, Download, Transfer, WillCall])
  .meta({ id: 'DeliveryMethod' });

const anyData = z.looseObject({});

/** The part of a delivery that its cost depends on. A name or a ZIP code may be invalid. */
export const PricedDelivery = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ship'),
    data: z.object(regionFields(SHIPPING)).check(knownState(SHIPPING)).transform(placeOf),
  }),
  z.object({ type: z.literal('download'), data: anyData.nullish() }),
  z.object({ type: z.enum(['transfer', 'will_call']), data: anyData }),
]);
export type PricedDelivery = z.output<typeof PricedDelivery>;
