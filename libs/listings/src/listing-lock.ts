/** Statements that lock the same listing's row share connections. */
export function listingLock(listingId: string): string {
  return `listing ${listingId}`;
}
