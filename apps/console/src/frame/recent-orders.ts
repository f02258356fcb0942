const MOST = 5;
let ids: readonly string[] = [];

/** The orders that were opened last in this tab, newest first. */
export const recentOrders = (): readonly string[] => ids;

export function rememberOrder(id: string): void {
  ids = [id, ...ids.filter((one) => one !== id)].slice(0, MOST);
}
