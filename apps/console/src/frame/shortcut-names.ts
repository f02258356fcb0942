// As written on this machine's keyboard.
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const PALETTE_KEY = isMac ? '⌘K' : 'Ctrl+K';
export const SEND_KEY = isMac ? '⌘Enter' : 'Ctrl+Enter';
