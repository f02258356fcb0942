// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { shown } from '../../test/shown.js';
import { DataTable } from './data-table.js';

const ROWS = ['a', 'b', 'c'];

function Table() {
  const [active, setActive] = useState(-1);
  return (
    <>
      <button onClick={() => setActive(active + 1)}>Next</button>
      <DataTable
        label="Letters"
        rows={ROWS}
        keyOf={(row) => row}
        empty=""
        columns={[{ id: 'letter', name: 'Letter', cell: (row) => row }]}
        active={active}
      />
    </>
  );
}

it('the active row of a table moves, and is always in view', () => {
  shown(<Table />);
  const seen: (string | null)[] = [];
  // Newer browsers answer with a promise.
  Element.prototype.scrollIntoView = function scrolled(this: Element) {
    seen.push(this.textContent);
    return Promise.resolve();
  };
  const next = screen.getByRole('button', { name: 'Next' });
  for (const row of ROWS) {
    fireEvent.click(next);
    expect(document.querySelector('tr.active')?.textContent).toBe(row);
  }
  expect(seen).toEqual(ROWS);
});
