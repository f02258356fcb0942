/** The sellers that somebody has typed, separated by commas; null if there are none. */
export function sellersIn(typed: string): string[] | null {
  const sellers = typed
    .split(',')
    .map((seller) => seller.trim())
    .filter((seller) => seller !== '');
  return sellers.length > 0 ? sellers : null;
}
