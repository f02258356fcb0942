import { Button, Menu, Popover } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { may, sessionQuery } from '../api/session.js';
import { CloseIcon } from '../frame/icons.js';
import { filterWords, ordersWords as words } from './orders-words.js';
import { FilterEditor } from './filter-editor.js';
import { filterLabel } from './filter-label.js';
import { type Filter, FILTER_FIELDS, type FilterField, opsOf, STAFF_FIELDS } from './order-condition.js';
import { keysOf } from '../api/keys-of.js';

type Props = Readonly<{
  filters: readonly Filter[];
  onChange: (filters: readonly Filter[]) => void;
  children?: ReactNode;
}>;

/** The filters of the list. Each has a button that changes it and one that removes it. */
export function FilterBar({ filters, onChange, children }: Props) {
  const [editing, setEditing] = useState<number | null>(null);
  const [added, setAdded] = useState<Filter | null>(null);
  const { data: session } = useQuery(sessionQuery);
  const isBroker = session ? session.operator.sellers !== null : false;
  const fields = keysOf(FILTER_FIELDS).filter((field) =>
    FILTER_FIELDS[field].kind === 'personal' ? may(session, 'orders:act') : !(isBroker && STAFF_FIELDS.includes(field)),
  );
  const shown = added ? [...filters, added] : filters;
  const close = () => {
    setEditing(null);
    setAdded(null);
  };
  const add = (field: FilterField) => {
    setAdded({ field, op: opsOf(field)[0] ?? '=', values: [] });
    setEditing(filters.length);
  };
  const apply = (index: number, filter: Filter) => {
    close();
    const kept = shown.map((one, place) => (place === index ? filter : one));
    onChange(kept.filter(({ values }) => values.length > 0));
  };
  return (
    <div className="filter-bar">
      {children}
      {shown.map((filter, index) => (
        <span key={`${filter.field} ${index}`} className="chip">
          <Popover
            opened={editing === index}
            onChange={(opened) => !opened && close()}
            position="bottom-start"
            trapFocus
            returnFocus
            transitionProps={{ duration: 0 }}
          >
            <Popover.Target>
              <button type="button" onClick={() => setEditing(index)} title={words.editFilter}>
                {filter.values.length > 0 ? filterLabel(filter) : filterWords.field[filter.field]}
              </button>
            </Popover.Target>
            <Popover.Dropdown>
              <FilterEditor filter={filter} onApply={(changed) => apply(index, changed)} onCancel={close} />
            </Popover.Dropdown>
          </Popover>
          <button
            type="button"
            aria-label={words.removeFilter(filterWords.field[filter.field])}
            onClick={() => onChange(filters.filter((_, place) => place !== index))}
          >
            <CloseIcon />
          </button>
        </span>
      ))}
      <Menu position="bottom-start" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default" size="compact-sm">
            + {words.addFilter}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="menu-tall">
          {fields.map((field) => (
            <Menu.Item key={field} onClick={() => add(field)}>
              {filterWords.field[field]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {filters.length > 0 && (
        <button type="button" className="link-button small" onClick={() => onChange([])}>
          {words.clearFilters}
        </button>
      )}
    </div>
  );
}
