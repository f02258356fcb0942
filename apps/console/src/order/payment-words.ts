/** What became of the buyer's money. */
export const paymentWords = {
  asked: 'The provider was asked, and has not answered yet',
  held: (amount: string, card: string) => `Held ${amount} on ${card}`,
  notTaken: 'not taken yet',
  taken: (amount: string, card: string) => `Took ${amount} from ${card}`,
  voided: (amount: string) => `Voided ${amount}`,
  neverLeft: 'never left the account',
  notCharged: { declined: 'Declined · nothing was charged', failed: 'Failed · nothing was charged' },
  refunded: (amount: string, card: string) => `Refunded ${amount} to ${card}`,
  refundedOn: (amount: string, day: string, card: string) => `Refunded ${amount} on ${day} to ${card}`,
  slow: 'banks take 5 to 10 days',
  pending: (amount: string) => `${amount} is on its way back, or waits for another person`,
} as const;
