import { Button, Popover } from '@mantine/core';
import { DownIcon, UpIcon } from '../frame/icons.js';
import { ordersWords } from './orders-words.js';
import { viewWords as words } from './view-words.js';
import { setDisplay, useDisplay } from './display.js';
import { CHOOSABLE, type ColumnName } from './order-columns.js';

type Props = Readonly<{ chosen: readonly ColumnName[]; onChange: (names: readonly ColumnName[]) => void }>;

/** Which columns the list has, in which order, and how tall its rows are. */
export function ColumnChoice({ chosen, onChange }: Props) {
  const { compact } = useDisplay();
  const rest = CHOOSABLE.filter((name) => !chosen.includes(name));
  const swap = (name: ColumnName, by: 1 | -1) => {
    const from = chosen.indexOf(name);
    const names = [...chosen];
    names.splice(from, 1);
    names.splice(from + by, 0, name);
    onChange(names);
  };
  return (
    <Popover position="bottom-end" trapFocus returnFocus transitionProps={{ duration: 0 }}>
      <Popover.Target>
        <Button variant="default" size="compact-sm" className="column-button">
          {words.display}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="column-choice" aria-label={words.display}>
        <strong>{words.columns}</strong>
        <ul>
          {[...chosen, ...rest].map((name) => {
            const place = chosen.indexOf(name);
            const title = ordersWords.column[name];
            return (
              <li key={name}>
                <label className="choice">
                  <input
                    type="checkbox"
                    checked={place >= 0}
                    disabled={place >= 0 && chosen.length === 1}
                    onChange={() => onChange(place >= 0 ? chosen.filter((one) => one !== name) : [...chosen, name])}
                  />
                  {title}
                </label>
                {place >= 0 && (
                  <span className="column-moves">
                    <button
                      type="button"
                      aria-label={words.moveUp(title)}
                      disabled={place === 0}
                      onClick={() => swap(name, -1)}
                    >
                      <UpIcon />
                    </button>
                    <button
                      type="button"
                      aria-label={words.moveDown(title)}
                      disabled={place === chosen.length - 1}
                      onClick={() => swap(name, 1)}
                    >
                      <DownIcon />
                    </button>
                  </span>
                )}
              </li>
            );
          })}
        </ul>
        <label className="choice column-density">
          <input type="checkbox" checked={compact} onChange={() => setDisplay({ compact: !compact })} />
          {words.compact}
        </label>
        <button type="button" className="link-button small" onClick={() => onChange([])}>
          {words.reset}
        </button>
      </Popover.Dropdown>
    </Popover>
  );
}
