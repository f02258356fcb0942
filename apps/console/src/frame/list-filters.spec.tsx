// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { shown } from '../../test/shown.js';
import { ListFilters } from './list-filters.js';

const CHOICE = {
  label: 'State',
  options: [
    ['', 'All'],
    ['sold_out', 'Sold out'],
  ],
} as const;

function filters(q: string, chosen: string) {
  const onShow = vi.fn<(q: string, chosen: string) => void>();
  shown(<ListFilters search="Search listings" hint="" choice={CHOICE} q={q} chosen={chosen} onShow={onShow} />);
  return { onShow, box: screen.getByLabelText<HTMLInputElement>('Search listings') };
}

describe('the filters of a list', () => {
  it('show what the address says', () => {
    const { box } = filters('row C', 'sold_out');
    expect(box.value).toBe('row C');
    expect(screen.getByLabelText<HTMLSelectElement>('State').value).toBe('sold_out');
  });

  it('keep the text when the choice changes', () => {
    const { onShow } = filters('row C', '');
    fireEvent.change(screen.getByLabelText('State'), { target: { value: 'sold_out' } });
    expect(onShow.mock.calls).toEqual([['row C', 'sold_out']]);
  });

  it('search a moment after typing, without blanks around the text', async () => {
    const { onShow, box } = filters('', 'sold_out');
    fireEvent.change(box, { target: { value: ' row D ' } });
    expect(onShow).not.toHaveBeenCalled();
    await waitFor(() => expect(onShow.mock.calls).toEqual([['row D', 'sold_out']]));
  });

  it('take the key / to the box', () => {
    const { box } = filters('', '');
    fireEvent.keyDown(document.body, { key: '/' });
    expect(document.activeElement).toBe(box);
  });
});
