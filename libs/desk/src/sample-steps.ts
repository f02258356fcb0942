import type { OrderCommand } from '#domain/order';
import type { KnownOrder, Order } from '#domain/order-state';
import type { PaymentStep } from '#domain/payment-steps';
import type { Randomness } from '#base/randomness';
import type { SeededRandomness } from '#base/seeded-randomness';
import type { SampleActor, SampleDeed } from './sample/sample-stories.data.js';

/** Colleagues who have left: history names them, and nobody can sign in as them. */
export const sampleColleagues = [
  { id: 'opr_sample00000000000000000000000001', name: 'Mara Voss', email: 'mara@example.com' },
  { id: 'opr_sample00000000000000000000000002', name: 'Tom Okafor', email: 'tom@example.com' },
  { id: 'opr_sample00000000000000000000000003', name: 'Lin Castillo', email: 'lin@example.com' },
] as const;

export function sampleColleague(random: SeededRandomness): string {
  return `operator:${random.pick(sampleColleagues).id}`;
}

export function sampleActor(by: SampleActor, random: SeededRandomness): string {
  if (by === 'staff') return sampleColleague(random);
  if (by === 'program') return 'token:tok_sample00000000000000000000000001';
  return 'system:confirmation';
}

export function sampleCommand(
  does: SampleDeed,
  note: string | undefined,
  order: Order,
  random: SeededRandomness,
): OrderCommand {
  const noted = note === undefined ? {} : { note };
  if (typeof does === 'number') return { type: 'ChangeStatus', statusCode: does, ...noted };
  switch (does) {
    case 'ship': {
      const data = { carrier: random.pick(['UPS', 'FedEx']), tracking_number: `1Z${digits(random, 12)}` };
      return { type: 'Fulfil', fulfillment: { type: 'ship', data }, ...noted };
    }
    case 'download': {
      const url = `https://tickets.example/orders/${digits(random, 10)}/download`;
      return { type: 'Fulfil', fulfillment: { type: 'download', data: { url } }, ...noted };
    }
    case 'expire':
      return { type: 'ExpireConfirmation', expectedVersion: order.known ? order.version : 0 };
  }
}

/** What the sandbox would answer. Undefined: nothing happens now. */
export function sampleMoney({ step, n }: PaymentStep, order: KnownOrder, refundId: string): OrderCommand | undefined {
  switch (step) {
    case 'capture': {
      const outcome = { is: 'captured', amount_cents: order.purchase.total_cents, fee: null } as const;
      return { type: 'RecordCapture', outcome, refundId };
    }
    case 'void':
      return { type: 'RecordPaymentRelease' };
    case 'return':
      return { type: 'ReturnPayment', refundId };
    case 'refund': {
      const id = order.refunds.find((refund) => refund.n === n)?.id ?? '';
      return { type: 'RecordRefund', refundId: id, result: { is: 'succeeded', reference: `sandbox_${id}` } };
    }
    default:
      return undefined;
  }
}

function digits(random: Randomness, count: number): string {
  return Array.from({ length: count }, () => Math.floor(random.fraction() * 10)).join('');
}
