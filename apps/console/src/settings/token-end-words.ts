export const tokenEndWords = {
  ends: 'Ends',
  never: 'Never',
  ended: 'Ended',
  soon: (days: number) => (days === 1 ? 'ends within a day' : `ends in ${days} days`),
  validFor: 'Valid for',
  days: (days: number) => (days === 1 ? 'a day' : days === 365 ? 'a year' : `${days} days`),
  usual: 'the usual time',
  noLimit: 'no limit',
} as const;
