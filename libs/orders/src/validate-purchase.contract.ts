import { z } from 'zod';
import { codeOf } from '#web/coded-text.contract';
import { PricedDelivery } from '#listings/delivery.contract';
import type { ValidationIssue } from '#web/error-body.contract';
import { isExpired, CardExpiry, PaymentTotal } from './payment.contract.js';
import {
  type PaymentPurchase,
  PaymentPurchaseRequest,
  product,
  refId,
  type WholesalePurchase,
  WholesalePurchaseRequest,
  wholesaleTotal,
} from './purchase-request.contract.js';

/** The client's variant decides what it submits, not the body. */
export type Variant = 'payment' | 'wholesale';

/** A purchase with valid fields. The listing, its stock and its price are not checked yet. */
export type ValidPurchase = WholesalePurchase | PaymentPurchase;

/** The valid parts of an invalid purchase, so its listing can still be checked. */
export type ValidParts = Readonly<{
  product?: Readonly<{ listing_id: string; event_id?: string | undefined; quantity?: number | undefined }> | undefined;
  total_cents?: number | undefined;
  /** Set when everything that its cost depends on is valid. */
  delivery?: PricedDelivery | undefined;
  /** Null where none was sent. */
  ref_id?: string | null | undefined;
}>;

// Compiled code is quicker for plain fields. Rules over several fields are quicker without it: wholesale bodies by 40 %.
const REQUESTS = { payment: PaymentPurchaseRequest, wholesale: z.compile(WholesalePurchaseRequest) };

/** Validates the body of a purchase, whatever it is. It never throws. `now` in ms since the epoch. */
export function validatePurchase(
  variant: Variant,
  body: unknown,
  now: number,
  requireRefId = false,
): { purchase: ValidPurchase } | { issues: readonly ValidationIssue[]; valid: ValidParts } {
  const { data: purchase, error } = REQUESTS[variant].safeParse(body);
  const paid = purchase?.variant === 'payment' ? purchase.payment.summary : undefined;
  if (purchase && !isExpired(paid, now) && !(requireRefId && purchase.ref_id === null)) return { purchase };
  const expiry = paid ?? (variant === 'payment' ? CardExpiry.safeParse(body).data?.payment.data : undefined);
  const valid = validParts(variant, body);
  const missing = requireRefId && valid.ref_id === null ? NO_REF_ID : [];
  return { issues: [...issuesOf(error), ...missing, ...(isExpired(expiry, now) ? EXPIRED : [])], valid };
}

const NO_REF_ID: readonly ValidationIssue[] = [{ code: 40001, field: 'ref_id' }];

const EXPIRED: readonly ValidationIssue[] = ['expiry_month', 'expiry_year'].map((name) => {
  return { code: 40039, field: `payment.data.${name}` };
});

/** Fields of one code are named in the order in which the first version read them. All others keep the order of the schema. */
const NAMED_LATER = [
  /^product$|\.address2$/,
  /^(payment|delivery_method)\b/,
  /^user(\.location)?$/,
  /^user\./,
  /^(?!product\.)/,
];

function issuesOf(error: z.ZodError | undefined): readonly ValidationIssue[] {
  const issues = new Map<string, ValidationIssue>();
  for (const { path, message } of error?.issues ?? []) {
    const issue = { code: codeOf(message), field: path.join('.') || 'body' };
    issues.set(`${issue.code} ${issue.field}`, issue);
  }
  return [...issues.values()].sort((a, b) => rank(a) - rank(b));
}

function rank({ field }: ValidationIssue): number {
  const found = NAMED_LATER.findIndex((fields) => fields.test(field));
  return found === -1 ? NAMED_LATER.length : found;
}

const PRODUCT_PARTS = {
  listing_id: product.listing_id,
  event_id: product.event_id.optional().catch(undefined),
  quantity: product.quantity.optional().catch(undefined),
};
const REF_ID_PART = refId.transform((refId) => refId ?? null).catch(undefined as never);

const PARTS = {
  payment: z
    .object({
      product: z.object(PRODUCT_PARTS),
      payment: PaymentTotal.optional().catch(undefined),
      delivery_method: PricedDelivery.optional().catch(undefined),
      ref_id: REF_ID_PART,
    })
    .transform(({ product, payment, delivery_method: delivery, ref_id }): ValidParts => {
      return { product, total_cents: payment?.total, delivery, ref_id };
    }),
  wholesale: z
    .object({
      product: z.object({ ...PRODUCT_PARTS, total: wholesaleTotal.optional().catch(undefined) }),
      ref_id: REF_ID_PART,
    })
    .transform(({ product: { total: total_cents, ...product }, ref_id }): ValidParts => {
      return { product, total_cents, ref_id };
    }),
};

function validParts(variant: Variant, body: unknown): ValidParts {
  return PARTS[variant].safeParse(body).data ?? {};
}
