export const speculative = {
  mark: 'Speculative',
  meaning: 'The seller does not have the tickets yet.',
} as const;
