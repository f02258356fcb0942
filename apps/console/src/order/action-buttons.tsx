import { Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { actionGroups } from './action-groups.js';
import { corrects } from './corrections.js';
import { deskWords } from './edit/order-desk-words.js';
import { nextAction } from './next-action.js';
import { orderWords as words } from './order-words.js';
import { useOrderActions } from './use-order-actions.js';

type Props = Readonly<{
  order: OrderDetail;
  isPast: boolean;
  mayErase: boolean;
  onChoose: (action: OrderAction) => void;
  onErase: () => void;
  mayDispute: boolean;
  onDispute: () => void;
  /** Stands after the actions. */
  children: ReactNode;
}>;

/** The action that is next is filled and comes first; then those that most orders need, in the server's order. Rare ones are in a menu. */
export function ActionButtons({ order, isPast, mayErase, onChoose, onErase, mayDispute, onDispute, children }: Props) {
  // The button of a correction is beside what it corrects.
  const allowed = (useOrderActions(order) ?? []).filter((action) => action.allowed && !corrects(action, order));
  const next = nextAction(order, allowed);
  const main = allowed.filter((action) => action.main && action !== next);
  const groups = actionGroups(allowed.filter((action) => !action.main));
  return (
    <div className="row order-actions">
      {[...(next ? [next] : []), ...main].map((action) => (
        <Button
          key={action.label}
          size="compact-md"
          variant={action === next ? 'filled' : 'default'}
          disabled={isPast}
          onClick={() => onChoose(action)}
        >
          {action.label}
        </Button>
      ))}
      {(groups.length > 0 || mayDispute || mayErase) && (
        <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
          <Menu.Target>
            <Button size="compact-md" variant="default" disabled={isPast}>
              {words.dialog.more}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className="menu-tall">
            {(mayDispute || mayErase) && <Menu.Label>{words.menu.order}</Menu.Label>}
            {mayDispute && <Menu.Item onClick={onDispute}>{words.openDispute}</Menu.Item>}
            {mayErase && (
              <Menu.Item color="red" onClick={onErase}>
                {deskWords.erase} …
              </Menu.Item>
            )}
            {groups.map(([status, actions]) => (
              <div key={status} role="group" aria-label={words.menu[status]}>
                <Menu.Label aria-hidden="true">{words.menu[status]}</Menu.Label>
                {actions.map((action) => (
                  <Menu.Item key={action.label} aria-label={action.label} onClick={() => onChoose(action)}>
                    {action.status_message ?? action.label}
                  </Menu.Item>
                ))}
              </div>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {children}
    </div>
  );
}
