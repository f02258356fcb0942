/** How a seller lets a listing be divided; a list names the quantities allowed. */
export type SplitRule = 'any' | 'pairs' | 'no_single_left' | 'all_together' | readonly number[];

/** A lookup shows no more quantities than this: nobody picks from a longer list, and a listing of 100,000 would send half a megabyte. `canBuy` knows no such end. */
export const MOST_SPLITS_SHOWN = 500;

/** Whether `quantity` tickets can be bought of the `available` ones without breaking the seller's rule. */
export function canBuy(rule: SplitRule, available: number, quantity: number): boolean {
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > available) return false;
  switch (rule) {
    case 'any':
      return true;
    case 'pairs':
      return quantity % 2 === 0;
    case 'no_single_left':
      return available - quantity !== 1;
    case 'all_together':
      return quantity === available;
    default:
      return rule.includes(quantity);
  }
}

/** The quantities that can be bought now, ascending: the smallest `MOST_SPLITS_SHOWN` of them where there are more. */
export function splits(rule: SplitRule, available: number): number[] {
  if (rule === 'all_together') return available > 0 ? [available] : [];
  if (typeof rule !== 'string') {
    const allowed = [...new Set(rule)].filter((quantity) => canBuy(rule, available, quantity));
    return allowed.sort((a, b) => a - b).slice(0, MOST_SPLITS_SHOWN);
  }
  const found: number[] = [];
  for (let quantity = 1; quantity <= available && found.length < MOST_SPLITS_SHOWN; quantity++) {
    if (canBuy(rule, available, quantity)) found.push(quantity);
  }
  return found;
}
