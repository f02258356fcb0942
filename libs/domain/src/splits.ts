export type SplitRule = 'any' | 'pairs' | 'no_single_left' | 'all_together' | readonly number[];

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

export function splits(rule: SplitRule, available: number): number[] {
  if (rule === 'all_together') return available > 0 ? [available] : [];
  if (typeof rule !== 'string') {
    const allowed = [...new Set(rule)].filter((quantity) => canBuy(rule, available, quantity));
    return allowed.sort((a, b) => a - b);
  }
  const found: number[] = [];
  for (let quantity = 1; quantity <= available; quantity++) {
    if (canBuy(rule, available, quantity)) found.push(quantity);
  }
  return found;
}
