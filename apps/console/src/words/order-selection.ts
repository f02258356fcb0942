const orders = (count: number) => (count === 1 ? '1 order' : `${count} orders`);

export const selectionWords = {
  copyIds: 'Copy ids',
  copied: (count: number) => (count === 1 ? 'The id is copied.' : `${count} ids are copied.`),
  tag: 'Tag',
  assign: 'Assign',
  macro: 'Macro …',
  change: 'Change …',
  changeAll: 'Change all that match …',
  undoing: 'Taking it back …',
  undone: 'It is as it was before.',
  outcome: (changed: number, unchanged: number, failed: number) =>
    [
      `${orders(changed)} changed.`,
      unchanged > 0 ? `${orders(unchanged)} had it already.` : '',
      failed > 0 ? `${orders(failed)} could not be changed and stay selected.` : '',
    ]
      .filter((text) => text !== '')
      .join(' '),
  tagTitle: (count: number) => `Tag ${orders(count)}`,
  tagsToAdd: 'Tags to add',
  tagsToRemove: 'Tags to remove',
  tagsHint: 'Separate several by commas',
  tagMissing: 'Write a tag to add or to remove.',
  tagApply: 'Change tags',
  assignTitle: (count: number) => `Assign ${orders(count)}`,
  assignee: 'Assignee',
  nobody: 'Nobody',
  assignApply: 'Assign',
  progress: 'Progress',
  progressText: (done: number, all: number) => `${done} of ${all}`,
  selectAll: 'Select all loaded orders',
} as const;

/** What keys do where orders can be selected. */
export const ORDER_SELECTION_KEYS = [
  ['x', 'Select the order'],
  ['X', 'Select all from the last selected one to here'],
  ['t', 'Tag the selected orders'],
  ['i', 'Assign the selected orders'],
  ['m', 'Apply a macro to the selected orders'],
  ['Esc', 'Clear the selection'],
] as const;
