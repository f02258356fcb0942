import type { Dispute } from '#money/dispute.contract';
import { money } from '../words/formats.js';
import { disputeStates } from '../words/disputes.js';
import { wordFor } from '../words/word-for.js';
import { disputeWords as words } from './dispute-words.js';

export const kindText = ({ kind, inquiry }: Dispute): string => (inquiry ? words.inquiry : words.kind[kind]);

export const reasonText = ({ reason }: Dispute): string => wordFor(words.reason, reason) ?? reason;

/** Whether a bank has not got an answer yet, and still takes one. */
export const canBeAnswered = ({ kind, state, due_at: due }: Dispute, now: number): boolean =>
  kind === 'card' && state === 'open' && !(due !== null && Date.parse(due) < now);

/** Whether staff end it, because no bank does. */
export const canBeClosed = ({ kind, state }: Dispute): boolean =>
  kind !== 'card' && (state === 'open' || state === 'sent');

/** How it stands, and what can be done, in sentences. */
export function situationOf(dispute: Dispute, at: number): string {
  const { kind, state, inquiry, amount, currency } = dispute;
  const { now } = words;
  const isOwn = kind !== 'card';
  if (state === 'won') return isOwn ? now.wonOwn : inquiry ? now.wonInquiry : now.won;
  if (state === 'lost') return isOwn ? now.lostOwn : now.lost(money(amount, currency));
  if (state === 'withdrawn') return now.withdrawn;
  if (isOwn) return now.own;
  if (state === 'sent') return now.sent;
  if (!canBeAnswered(dispute, at)) return now.late;
  return inquiry ? now.inquiry : now.card(money(amount, currency));
}

export function DisputeState({ dispute: { state } }: Readonly<{ dispute: Dispute }>) {
  return (
    <span className={`status ${words.tone[state]}`}>
      <span>{disputeStates[state]}</span>
    </span>
  );
}
