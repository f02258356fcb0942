import { number } from './formats.js';

export const selection = {
  column: 'Select',
  select: (id: string) => `Select ${id}`,
  selected: (count: number) => `${number(count)} selected`,
  clear: 'Clear',
  dismiss: 'Close',
  undo: 'Undo',
} as const;
