import { comparisonsOf, isPersonalField, storedRuleCondition } from '../order-condition.contract.js';
import type { Caller } from '#accounts/caller';
import { HttpError } from '#web/http-error';

type Conditioned = Readonly<{ where: Readonly<Record<string, unknown>> }>;

/** A condition may name a buyer. Only those who may search for buyers may write or read it. @throws HttpError 403 */
export function checkBuyerConditions({ permissions }: Caller, list: readonly Conditioned[]): void {
  if (permissions.includes('orders:act')) return;
  const names = list.some(({ where }) => {
    return comparisonsOf(storedRuleCondition(where)).some(({ field }) => isPersonalField(field));
  });
  if (names) throw HttpError.with(40300, 'orders:act');
}
