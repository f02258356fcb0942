import type { OrderAction } from '#contracts/backoffice/order-action';
import type { Status } from '#domain/status';
import type { EffectiveAction } from '#orders/desk/order-actions';
import type { Caller } from '#people/caller';

const NEEDS: Readonly<Record<EffectiveAction['action'], OrderAction['needs']>> = {
  change_status: [],
  ship: ['carrier', 'tracking_number'],
  deliver: ['url'],
};

/** An action in the words of its button, for this caller. */
export function shownAction({ action, entry, moves, corrects, effects }: EffectiveAction, caller: Caller): OrderAction {
  const allowed = caller.permissions.includes('orders:act');
  return {
    action,
    label: corrects ? CORRECTION[action] : (entry.label ?? otherLabel(entry.status)),
    main: entry.label !== null && (moves || action !== 'change_status'),
    status_code: entry.status.status_code,
    status_message: entry.status.status_message,
    effects: [...effects],
    needs: NEEDS[action],
    allowed,
    ...(!allowed && { why_not: 'needs the permission orders:act' }),
  };
}

const CORRECTION: Readonly<Record<EffectiveAction['action'], string>> = {
  change_status: 'Correct',
  ship: 'Correct tracking number',
  deliver: 'Correct ticket link',
};

/** Two statuses may have the same message, such as a technical issue. */
function otherLabel({ status, status_message: message }: Status): string {
  return `${status.slice(0, 1).toUpperCase()}${status.slice(1)}: ${message}`;
}
