import type { Webhook } from '#outbound/webhook.contract';
import { webhookWords as words } from './webhook-words.js';

const TONES: Readonly<Record<Webhook['state'], string>> = {
  active: 'confirmed',
  paused: 'pending',
  disabled: 'exception',
};

/** A state as a word with a dot. It also shows an open circuit breaker. */
export function WebhookState({ webhook: { state, breaker } }: Readonly<{ webhook: Webhook }>) {
  const isFailing = state === 'active' && breaker.state !== 'closed';
  return (
    <span className={`status ${isFailing ? 'exception' : TONES[state]}`}>
      <span>{isFailing ? words.heldBack : words.states[state]}</span>
    </span>
  );
}

export const statusesText = (statuses: Webhook['statuses']): string =>
  statuses?.map((status) => words.statusNames[status]).join(', ') ?? words.all;
