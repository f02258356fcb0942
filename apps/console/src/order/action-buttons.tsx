import { Button, Menu } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { actionsQuery } from '../api/desk.js';
import { deskWords } from './edit/order-desk-words.js';
import { orderWords as words } from './order-words.js';
import { corrects } from './corrections.js';

type Props = Readonly<{
  order: OrderDetail;
  isPast: boolean;
  mayErase: boolean;
  onChoose: (action: OrderAction) => void;
  onErase: () => void;
  mayDispute: boolean;
  onDispute: () => void;
}>;

/** The next actions in the server's order, likeliest first. Rare ones are in a menu. */
export function ActionButtons({ order, isPast, mayErase, onChoose, onErase, mayDispute, onDispute }: Props) {
  const { data = [], isPlaceholderData } = useQuery({
    ...actionsQuery(order.id, order.version),
    placeholderData: keepPreviousData,
  });
  // Those of an earlier version may no longer be allowed.
  const isOff = isPast || isPlaceholderData;
  // The button of a correction is beside what it corrects.
  const allowed = data.filter((action) => action.allowed && !corrects(action, order));
  const main = allowed.filter((action) => action.main);
  const rest = allowed.filter((action) => !action.main);
  return (
    <div className="row order-actions">
      {main.map((action, index) => (
        <Button
          key={action.label}
          size="compact-md"
          variant={index === 0 ? 'filled' : 'default'}
          disabled={isOff}
          onClick={() => onChoose(action)}
        >
          {action.label}
        </Button>
      ))}
      {(rest.length > 0 || mayDispute || mayErase) && (
        <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
          <Menu.Target>
            <Button size="compact-md" variant="default" disabled={isOff}>
              {words.dialog.more}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className="menu-tall">
            {rest.map((action) => (
              <Menu.Item key={action.label} onClick={() => onChoose(action)}>
                {action.label}
              </Menu.Item>
            ))}
            {mayDispute && <Menu.Item onClick={onDispute}>{words.openDispute}</Menu.Item>}
            {mayErase && (
              <Menu.Item color="red" onClick={onErase}>
                {deskWords.erase} …
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
