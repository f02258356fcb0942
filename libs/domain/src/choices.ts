import type { ChoiceAnswer } from './choice-events.js';
import { type DomainError, domainError } from './domain-error.js';
import type { DecidedEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { refundOfTheRest } from './refunds.js';
import type { StatusCatalogue } from './status-catalogue.js';
import { changeStatus } from './status-change.js';

/** Times are ISO 8601. */
export type ChoiceCommand =
  /** Asked again by the same job, it changes nothing. */
  | Readonly<{ type: 'AskChoice'; job: string; until: string; at: string }>
  | Readonly<{
      type: 'AnswerChoice';
      job: string;
      answer: ChoiceAnswer;
      at: string;
      refund: Readonly<{ refundId: string; requestedBy: string }>;
    }>;

/** Contract, section 4: cancelled at the customer's request. */
export const GIVEN_BACK = 3010;

export function decideChoice(
  command: ChoiceCommand,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  return command.type === 'AskChoice' ? ask(command, order) : answer(command, order, catalogue);
}

/** Only who paid here can get money back here. */
function ask(
  { job, until, at }: Extract<ChoiceCommand, { type: 'AskChoice' }>,
  { purchase, status, choice }: KnownOrder,
): readonly DecidedEvent[] {
  const mayChoose =
    purchase.variant === 'payment' && status?.status === 'confirmed' && Date.parse(until) > Date.parse(at);
  return mayChoose && choice?.job !== job ? [{ type: 'ChoiceAsked', data: { job, until } }] : [];
}

function answer(
  { job, answer: given, at, refund }: Extract<ChoiceCommand, { type: 'AnswerChoice' }>,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  const over = whyOver(order, job, at);
  if (over !== undefined) return domainError('CHOICE_OVER', over);
  const { choice } = order;
  if (choice?.answer === given) return [];
  if (choice?.answer) return domainError('CONFLICT', 'You have chosen already, and your first answer holds.');
  const made = { type: 'ChoiceMade', data: { job, answer: given } } as const;
  if (given === 'keep') return [made];
  const entry = catalogue.entry(GIVEN_BACK);
  if (!entry) return domainError('STATUS_CODE_UNKNOWN', `The status ${GIVEN_BACK} is not in the status catalogue.`);
  const rejected = changeStatus(order, entry, catalogue, {});
  if (rejected instanceof Error) return rejected;
  return [made, ...rejected, ...refundOfTheRest(order, { ...refund, reason: 'event_postponed' })];
}

/** Why the choice that the job asked for can neither be made nor repeated, in words for the buyer. Undefined if it can. */
export function whyOver({ choice, status }: KnownOrder, job: string, at: string): string | undefined {
  if (choice?.job !== job) return 'The show was postponed again. A newer e-mail has another link.';
  if (choice.answer !== null) return undefined;
  if (status?.status === 'rejected') return 'The order has ended, so there is nothing to choose any more.';
  if (Date.parse(choice.until) > Date.parse(at)) return undefined;
  return 'The time to choose is over. Your tickets stay good for the new date.';
}
