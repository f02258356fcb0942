/** What the provider keeps of a payment. `reference` is that of its fee in the provider's list. */
export type ProviderFee = Readonly<{ reference: string; amountCents: number; currency: string }>;

/**
 * `pending`: the provider has it and will say more. `waiting`: the provider has nothing of it, because it cannot do it yet; ask again later
 * with the same key.
 */
export type RefundOutcome =
  | Readonly<{ is: 'succeeded' | 'pending'; reference: string }>
  | Readonly<{ is: 'failed'; reference: string | null; reason: string }>
  | Readonly<{ is: 'waiting'; reason: 'insufficient_funds' | 'not_settled' }>;
