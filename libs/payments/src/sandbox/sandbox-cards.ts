import type { DeclineCode, PaymentMethod } from '../payment-provider.js';

/** What the sandbox plays for a card after its payment was authorised. */
export type SandboxPlay = 'capture_fails' | 'dispute' | 'hold_expires' | 'refund_fails';

/** `late`: takes the payment and answers after 30 s. `fault`: fails, and takes nothing. */
export type SandboxCard =
  | Readonly<{ is: 'approved'; plays?: SandboxPlay }>
  | Readonly<{ is: 'declined'; code: DeclineCode; reason: string }>
  | Readonly<{ is: 'late' | 'fault' }>;

const declined = (code: DeclineCode, reason: string) => ({ is: 'declined', code, reason }) as const;
const playing = (plays: SandboxPlay) => ({ is: 'approved', plays }) as const;

/** One card for each outcome (README, "Play the platform"). */
const CARDS: Readonly<Record<string, SandboxCard>> = {
  '4000000000000002': declined(40016, 'declined by the sandbox'),
  '4000000000000341': { is: 'late' },
  '4000000000000119': { is: 'fault' },
  '4000000000009995': declined(40016, 'insufficient funds'),
  '4000000000009987': declined(40016, 'lost card'),
  '4000000000000069': declined(40039, 'expired card'),
  '4000000000000127': declined(40035, 'wrong CVV'),
  '4000002760003184': declined(40016, 'the card demands 3-D Secure, which a purchase cannot do'),
  '4000000000005126': playing('refund_fails'),
  '4000000000000259': playing('dispute'),
  '4000000000001117': playing('capture_fails'),
  '4000000000001125': playing('hold_expires'),
};
const DECLINED_TOKEN = 'tok_declined';

export function sandboxCard(method: PaymentMethod): SandboxCard {
  if (method.type === 'creditcard') return CARDS[method.card.number] ?? { is: 'approved' };
  return method.token === DECLINED_TOKEN ? declined(40016, 'declined by the sandbox') : { is: 'approved' };
}
