/** The key under which statements that lock one listing's row share connections. */
export function listingLock(listingId: string): string {
  return `listing ${listingId}`;
}
