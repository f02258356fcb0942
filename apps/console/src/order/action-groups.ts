import type { OrderAction } from '#orders/order-action.contract';

const GROUPS = ['pending', 'confirmed', 'exception', 'rejected'] as const;
export type ActionGroup = (typeof GROUPS)[number];

// A status code begins with the digit of its status.
const DIGIT: Readonly<Record<ActionGroup, string>> = { pending: '1', confirmed: '2', rejected: '3', exception: '4' };

/** The actions by the status that they lead to, without empty groups; those that end the order last. */
export function actionGroups(actions: readonly OrderAction[]): (readonly [ActionGroup, readonly OrderAction[]])[] {
  return GROUPS.map(
    (group) => [group, actions.filter(({ status_code: code }) => String(code).startsWith(DIGIT[group]))] as const,
  ).filter(([, found]) => found.length > 0);
}
