// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { shown } from '../../test/shown.js';
import { selection as words } from '../words/selection.js';
import { rowKeys } from './row-keys.js';
import { SelectBox } from './select-box.js';
import { SelectionBar } from './selection-bar.js';
import { useSelection } from './use-selection.js';
import { useShortcuts } from './use-shortcuts.js';

const IDS = ['a', 'b', 'c', 'd'];

function List({ onAct, onOpen }: Readonly<{ onAct: (ids: readonly string[]) => void; onOpen: (id: string) => void }>) {
  const { selected, setSelected, toggle } = useSelection(IDS);
  const [active, setActive] = useState(0);
  const id = IDS[active] ?? '';
  useShortcuts(
    rowKeys({
      count: IDS.length,
      active,
      move: setActive,
      open: () => onOpen(id),
      select: (isRange) => toggle(id, isRange),
    }),
  );
  return (
    <>
      {IDS.map((one) => (
        <SelectBox
          key={one}
          name={words.select(one)}
          checked={selected.has(one)}
          onSelect={(isRange) => toggle(one, isRange)}
        />
      ))}
      <SelectionBar
        count={selected.size}
        isOff={false}
        acts={[{ text: 'Tag', act: () => onAct([...selected]), shortcut: 't' }]}
        onClear={() => setSelected(new Set())}
      />
    </>
  );
}

function list() {
  const on = { onAct: vi.fn(), onOpen: vi.fn() };
  shown(<List {...on} />);
  const box = (id: string) => screen.getByRole('checkbox', { name: words.select(id) });
  return { ...on, box, press: (key: string) => fireEvent.keyDown(document.body, { key }) };
}

describe('the selection of a list', () => {
  it('goes up to the row that is clicked with Shift', () => {
    const { box, press, onAct } = list();
    fireEvent.click(box('c'));
    fireEvent.click(box('a'), { shiftKey: true });
    screen.getByText(words.selected(3));
    press('t');
    expect(onAct).toHaveBeenCalledExactlyOnceWith(['c', 'a', 'b']);
  });

  it('is made by the keys alone, and ends with Escape', () => {
    const { press, onAct, onOpen } = list();
    for (const key of ['k', 'x', 'j', 'j', 'X', 'j', 'x', 'x', 't']) press(key);
    expect(onAct).toHaveBeenCalledExactlyOnceWith(['a', 'b', 'c']);
    press('Enter');
    expect(onOpen).toHaveBeenCalledExactlyOnceWith('d');
    press('Escape');
    press('t');
    expect(onAct).toHaveBeenCalledOnce();
    expect(screen.queryByText(/selected/)).toBeNull();
  });
});
