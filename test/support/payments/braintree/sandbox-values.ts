import type { MethodRecord } from './records.js';

/** https://developer.paypal.com/braintree/docs/reference/general/testing, as far as Willcall needs it. */

/** What the bank or the gateway says to a payment. The account has rules that reject a failed check of CVV or address. */
export type Verdict = Readonly<{ status: string; details: object }>;

const checks = (postalCode = 'MATCHES', street = 'MATCHES', cvv = 'MATCHES') => ({
  avsPostalCodeResponse: postalCode,
  avsStreetAddressResponse: street,
  cvvResponse: cvv,
});

const rejected = (reason: string, response: object): Verdict => ({
  status: 'GATEWAY_REJECTED',
  details: { gatewayRejectionReason: reason, processorResponse: { legacyCode: '1000', ...response } },
});

const BY_NONCE: Readonly<Record<string, Verdict>> = {
  'fake-processor-declined-visa-nonce': {
    status: 'PROCESSOR_DECLINED',
    details: { processorResponse: { legacyCode: '2000', ...checks() } },
  },
  'fake-gateway-rejected-fraud-nonce': rejected('FRAUD', checks()),
  'fake-gateway-rejected-risk-thresholds-nonce': rejected('RISK_THRESHOLD', checks()),
};

/** Nonces and vaulted methods that every account of the sandbox has. */
export function sandboxMethod(id: string): MethodRecord | undefined {
  const isKnown = /^fake-valid(-\w+)*-nonce$/.test(id) || id in BY_NONCE || id.startsWith('vaulted-');
  return isKnown ? { id, cvv: '123', postalCode: '', street: '', isUsed: false } : undefined;
}

// In dollars: 2004.00 is declined with 2004, and 3000.00 finds no bank.
export function verdictOf({ id, cvv, postalCode, street }: MethodRecord, cents: number): Verdict | undefined {
  const dollars = Math.floor(cents / 100);
  if (dollars >= 2_000 && dollars < 3_000) {
    const wrongZip = postalCode === '20000' ? checks('DOES_NOT_MATCH') : checks();
    return {
      status: 'PROCESSOR_DECLINED',
      details: { processorResponse: { legacyCode: String(dollars), ...wrongZip } },
    };
  }
  if (dollars === 3_000) return { status: 'FAILED', details: {} };
  const isWrongCvv = cvv === '200';
  const isWrongZip = postalCode === '20000';
  const isWrongStreet = street.startsWith('200 ');
  const no = (isWrong: boolean) => (isWrong ? 'DOES_NOT_MATCH' : 'MATCHES');
  if (isWrongCvv || isWrongZip || isWrongStreet) {
    const reason = isWrongCvv ? (isWrongZip || isWrongStreet ? 'AVS_AND_CVV' : 'CVV') : 'AVS';
    return rejected(reason, checks(no(isWrongZip), no(isWrongStreet), no(isWrongCvv)));
  }
  return BY_NONCE[id];
}

/** What the bank holds of an amount: of 1004.00 only a part. */
export const heldOf = (cents: number): number => (cents === 1_004_00 ? 500_00 : cents);
