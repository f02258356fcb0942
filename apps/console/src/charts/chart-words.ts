export const chartWords = {
  asTable: 'Show as a table',
} as const;
