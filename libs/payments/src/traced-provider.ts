import { SpanKind } from '@opentelemetry/api';
import { tracedWithin } from '#base/tracing';
import type { PaymentProvider } from './payment-provider.js';

const CALLS: readonly PropertyKey[] = [
  'prepare',
  'authorise',
  'conclude',
  'find',
  'capture',
  'void',
  'refund',
  'findRefund',
  'sendEvidence',
  'acceptDispute',
] satisfies (keyof PaymentProvider)[];

type Call = (...parameters: unknown[]) => Promise<unknown>;

/** The provider, each of whose calls is a span of the active trace. The spans have nothing of what is sent or answered. */
export function tracedProvider(provider: PaymentProvider): PaymentProvider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (!CALLS.includes(name)) return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      const start = () => ({
        name: `${target.name} ${String(name)}`,
        kind: SpanKind.CLIENT,
        attributes: { 'willcall.payment_provider': target.name },
      });
      return (...parameters: unknown[]) => tracedWithin(start, () => (member as Call).apply(target, parameters));
    },
  });
}
