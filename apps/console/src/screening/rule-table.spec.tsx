// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { shown } from '../../test/shown.js';
import type { Entry, RuleKind } from './rule-kinds.js';
import { RuleTable } from './rule-table.js';

const rule = (name: string, more: Partial<Entry> = {}): Entry => ({
  id: name,
  name,
  where: { field: 'total', op: '>=', value: 500 },
  enabled: true,
  ...more,
});
const QUERY = { error: null, isPending: false, refetch: () => Promise.resolve() };

function table(kind: RuleKind, entries: readonly Entry[]) {
  const acts = { onUp: vi.fn(), onSwitch: vi.fn(), onEdit: vi.fn(), onRemove: vi.fn() };
  shown(<RuleTable kind={kind} entries={entries} query={QUERY} {...acts} />);
  return acts;
}

describe('the table of rules', () => {
  it('moves up every policy but the first', () => {
    const { onUp } = table('policies', [rule('one'), rule('two')]);
    expect(screen.queryByRole('button', { name: 'Move one up' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Move two up' }));
    expect(onUp.mock.calls).toEqual([[expect.objectContaining({ name: 'two' })]]);
  });

  it('has no order of fraud rules', () => {
    table('fraud', [rule('one'), rule('two')]);
    expect(screen.queryByRole('button', { name: /up$/ })).toBeNull();
  });

  it('switches, edits and removes the rule of its row', () => {
    const acts = table('fraud', [rule('one'), rule('two', { enabled: false })]);
    const row = within(screen.getAllByRole('row')[2] ?? document.body);
    expect(row.getByText('Off')).toBeTruthy();
    fireEvent.click(row.getByRole('button', { name: 'Switch two on' }));
    fireEvent.click(row.getByRole('button', { name: 'Edit two' }));
    fireEvent.click(row.getByRole('button', { name: 'Remove two' }));
    for (const act of [acts.onSwitch, acts.onEdit, acts.onRemove])
      expect(act.mock.calls).toEqual([[expect.objectContaining({ name: 'two' })]]);
  });
});
