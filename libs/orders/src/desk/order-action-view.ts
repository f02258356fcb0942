import type { OrderAction } from '../order-action.contract.js';
import { dollarsOf } from '#domain/money';
import type { Status } from '#domain/status';
import type { EffectiveAction } from './order-actions.js';
import type { Caller } from '#accounts/caller';

const NEEDS: Readonly<Record<EffectiveAction['action'], OrderAction['needs']>> = {
  approve: [],
  accept: [],
  deny: ['reason'],
  accept_replacement: [],
  reject_replacement: [],
  offer_replacement: [],
  change_status: [],
  ship: ['carrier', 'tracking_number'],
  deliver: ['url'],
  transfer: ['source', 'seats'],
  record_acceptance: [],
  enter_barcodes: ['seats', 'barcode'],
  record_pickup: [],
};

/** The actions in the words of their buttons, for this caller. The ones that most orders need come first. */
export function shownActions(
  actions: readonly EffectiveAction[],
  caller: Caller,
  carriers: readonly string[],
): OrderAction[] {
  // The button of a status answers the broker's question where there is one.
  const answered = actions.filter(({ until }) => until !== undefined).map(({ entry }) => entry.status.status_code);
  const shown = actions.map((action) => {
    const isPlain = action.action === 'change_status' && answered.includes(action.entry.status.status_code);
    const view = shownAction(isPlain ? { ...action, entry: { ...action.entry, label: null } } : action, caller);
    return action.action === 'ship' ? { ...view, carriers: [...carriers] } : view;
  });
  return [...shown.filter(({ main }) => main), ...shown.filter(({ main }) => !main)];
}

function shownAction(effective: EffectiveAction, caller: Caller): OrderAction {
  const { action, entry, moves, corrects, effects, until, returnedCents } = effective;
  const allowed = caller.permissions.includes('orders:act');
  return {
    action,
    label: (corrects ? CORRECTION[action] : undefined) ?? LABEL[action] ?? entry.label ?? otherLabel(entry.status),
    main: LABEL[action] !== undefined || (entry.label !== null && (moves || action !== 'change_status')),
    status_code: entry.status.status_code,
    status_message: entry.status.status_message,
    effects: [...effects],
    ...(returnedCents !== undefined && { returned: dollarsOf(returnedCents) }),
    needs: NEEDS[action],
    ...(typeof until === 'string' && { until }),
    allowed,
    ...(!allowed && { why_not: 'needs the permission orders:act' }),
  };
}

const CORRECTION: Partial<Readonly<Record<EffectiveAction['action'], string>>> = {
  ship: 'Correct tracking number',
  deliver: 'Correct ticket link',
};

const LABEL: Partial<Readonly<Record<EffectiveAction['action'], string>>> = {
  approve: 'Approve',
  accept_replacement: 'Buyer takes the other tickets',
  reject_replacement: 'Buyer refuses the other tickets',
  offer_replacement: 'Offer other tickets',
  transfer: 'Transfer',
  record_acceptance: 'Record acceptance',
  enter_barcodes: 'Enter barcodes',
  record_pickup: 'Record pick-up',
};

/** Two statuses may have the same message, such as a technical issue. */
function otherLabel({ status, status_message: message }: Status): string {
  const kind = `${status.slice(0, 1).toUpperCase()}${status.slice(1)}`;
  return kind === message ? kind : `${kind}: ${message}`;
}
