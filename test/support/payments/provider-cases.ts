import { expect, it } from 'vitest';
import type { HeldPayment, PaymentMethod, PaymentProvider, PaymentRequest } from '#payments/payment-provider';

/** What the cases need of a provider, be it the real one in its test mode or a double. */
export type CaseSubject = Readonly<{
  provider: PaymentProvider;
  currency: string;
  good: PaymentMethod;
  declined: readonly Readonly<{ is: string; method: PaymentMethod; code: number }>[];
  /** Whether a refund is possible as soon as the money is taken. */
  refundsAtOnce: boolean;
}>;

const AMOUNT_CENTS = 1_999;
const PATIENCE_MS = 30_000;

const patience = () => AbortSignal.timeout(PATIENCE_MS);

/** Cases that hold for every provider. They run against the doubles, and by `npm run payments:check` against the providers themselves. */
export function providerCases(subjectOf: () => CaseSubject): void {
  let count = 0;
  const stamp = Date.now().toString(36);

  const requestOf = (method: PaymentMethod): PaymentRequest => {
    count += 1;
    return { orderId: `check-${stamp}-${count}`, amountCents: AMOUNT_CENTS, currency: subjectOf().currency, method };
  };

  async function held(): Promise<HeldPayment & { currency: string; amountCents: number }> {
    const { provider, good } = subjectOf();
    const request = requestOf(good);
    const prepared = await provider.prepare(request, patience());
    const outcome = await provider.authorise(prepared, request, patience());
    if (outcome.is !== 'authorised') throw new Error(`Declined: ${outcome.reason}`);
    const { orderId, currency, amountCents } = request;
    return { orderId, reference: outcome.reference, currency, amountCents };
  }

  async function taken(cents = AMOUNT_CENTS) {
    const payment = await held();
    const outcome = await subjectOf().provider.capture({
      ...payment,
      amountCents: cents,
      key: `${payment.orderId}-capture-1`,
    });
    expect(outcome).toMatchObject({ is: 'captured', amountCents: cents });
    return payment;
  }

  const refundOf = ({ orderId, reference, currency }: Awaited<ReturnType<typeof held>>, cents: number) => ({
    orderId,
    reference,
    currency,
    amountCents: cents,
    refundId: `rf_${orderId}`,
    key: `${orderId}-refund-1`,
    isWhole: cents === AMOUNT_CENTS,
  });

  it('holds an amount, and finds it held', async () => {
    const payment = await held();
    expect(await subjectOf().provider.find(payment)).toMatchObject({
      is: 'authorised',
      reference: payment.reference,
      amountCents: AMOUNT_CENTS,
    });
  });

  it('says with the code of the specification why a payment is declined', async () => {
    const { provider, declined } = subjectOf();
    for (const { is, method, code } of declined) {
      const request = requestOf(method);
      const prepared = await provider.prepare(request, patience());
      const outcome = await provider.authorise(prepared, request, patience());
      expect({ case: is, ...outcome }).toEqual({ case: is, is: 'declined', code, reason: expect.any(String) });
    }
  });

  it('knows afterwards what became of a payment whose answer nobody heard', async () => {
    const { provider, good } = subjectOf();
    const request = requestOf(good);
    const prepared = await provider.prepare(request, patience());
    const outcome = await provider.authorise(prepared, request, patience());
    expect(await provider.conclude(prepared)).toEqual(outcome);
  });

  it('ends a payment that was never authorised, so that it cannot be any more', async () => {
    const { provider, good } = subjectOf();
    const request = requestOf(good);
    const prepared = await provider.prepare(request, patience());
    const concluded = await provider.conclude(prepared);
    expect(concluded.is).toBe('absent');
    if (concluded.is === 'absent' && concluded.held) {
      const { orderId } = request;
      await provider.void({ orderId, reference: concluded.held.reference, key: `${orderId}-void-1` });
    }
    if (prepared.key === null) await expect(provider.authorise(prepared, request, patience())).rejects.toThrow(Error);
    expect(await provider.conclude(prepared)).toEqual({ is: 'absent' });
  });

  it('takes the amount once, and finds it taken', async () => {
    const { provider } = subjectOf();
    const payment = await taken();
    const again = await provider.capture({ ...payment, key: `${payment.orderId}-capture-1` });
    expect(again).toMatchObject({ is: 'captured', amountCents: AMOUNT_CENTS });
    expect(await provider.find(payment)).toMatchObject({ is: 'captured', amountCents: AMOUNT_CENTS });
  });

  it('takes a part, and lets the rest go', async () => {
    const payment = await taken(AMOUNT_CENTS - 500);
    expect(await subjectOf().provider.find(payment)).toMatchObject({ is: 'captured', amountCents: AMOUNT_CENTS - 500 });
  });

  it('lets go what is held, and takes nothing of it afterwards', async () => {
    const { provider } = subjectOf();
    const payment = await held();
    const key = `${payment.orderId}-void-1`;
    expect(await provider.void({ ...payment, key })).toBe('voided');
    expect(await provider.void({ ...payment, key })).toBe('voided');
    expect(await provider.find(payment)).toEqual({ is: 'voided' });
    const late = await provider.capture({ ...payment, key: `${payment.orderId}-capture-1` });
    expect(late).toMatchObject({ is: 'failed', gone: true });
  });

  it('says that it is too late to let go what was taken', async () => {
    const payment = await taken();
    expect(await subjectOf().provider.void({ ...payment, key: `${payment.orderId}-void-1` })).toBe('captured');
  });

  it('gives a part back once, however often it is asked', async () => {
    const { provider, refundsAtOnce } = subjectOf();
    const payment = await taken();
    const request = refundOf(payment, 500);
    const first = await provider.refund(request);
    if (!refundsAtOnce) return expect(['waiting', 'pending']).toContain(first.is);
    const second = await provider.refund({ ...request, key: `${payment.orderId}-refund-2` });
    expect(['succeeded', 'pending']).toContain(first.is);
    expect(second).toEqual(first);
    expect(await provider.findRefund(request, null)).toEqual(first);
    if ('reference' in first) expect(await provider.findRefund(request, first.reference)).toEqual(first);
  });

  it('finds no refund where there was none', async () => {
    const payment = await taken();
    expect(await subjectOf().provider.findRefund(refundOf(payment, 500), null)).toEqual({ is: 'absent' });
  });
}
