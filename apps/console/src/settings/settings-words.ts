export const settingsWords = {
  cancel: 'Cancel',
  close: 'Close',
  savedIt: 'I have saved it',
} as const;
