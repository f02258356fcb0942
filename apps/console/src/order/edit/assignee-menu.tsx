import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import { assign, assigneesQuery, isStale } from '../../api/order-changes.js';
import { sessionQuery } from '../../api/session.js';
import { Failure } from '../../frame/failure.js';
import { deskWords as words } from './order-desk-words.js';
import { useOrderChange } from './use-order-change.js';

/** The assignee of the order. People who may change it choose from a list that begins with themselves. */
export function AssigneeMenu({ order, mayChange }: Readonly<{ order: OrderDetail; mayChange: boolean }>) {
  const [opened, setOpened] = useState(false);
  const { data: session } = useQuery(sessionQuery);
  const { data: assignees, error } = useQuery({ ...assigneesQuery, enabled: opened });
  const change = useOrderChange(order.id, (operatorId: string | null) => assign(order, operatorId));
  const { assignee_name: name, assignee } = order;
  if (!mayChange) return name === null ? null : <span>{words.assignedTo(name)}</span>;
  const me = assignees?.find(({ id }) => id === session?.operator.id);
  const others = assignees?.filter((one) => one !== me) ?? [];
  return (
    <>
      <Menu opened={opened} onChange={setOpened} position="bottom-start" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <button
            type="button"
            className="chip-button"
            {...(name === null && { 'aria-label': `${words.assign}: ${words.nobody}` })}
          >
            {name === null ? words.assign : words.assignedTo(name)} ▾
          </button>
        </Menu.Target>
        <Menu.Dropdown className="menu-tall">
          {!assignees && !error && <Menu.Label>{words.loading}</Menu.Label>}
          {error && <Failure error={error} />}
          {me && me.id !== assignee && (
            <Menu.Item onClick={() => change.mutate(me.id)}>{words.toMe(me.name)}</Menu.Item>
          )}
          {others
            .filter(({ id }) => id !== assignee)
            .map((one) => (
              <Menu.Item key={one.id} onClick={() => change.mutate(one.id)}>
                {one.name}
              </Menu.Item>
            ))}
          {assignee !== null && <Menu.Item onClick={() => change.mutate(null)}>{words.nobody}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {change.error &&
        (isStale(change.error) ? (
          <span className="alert" role="alert">
            {words.changedDesk(name)}
          </span>
        ) : (
          <Failure error={change.error} />
        ))}
    </>
  );
}
