// As written on this machine's keyboard.
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const PALETTE_KEY = isMac ? '⌘K' : 'Ctrl+K';
export const SEND_KEY = isMac ? '⌘Enter' : 'Ctrl+Enter';

/** After `g`: the page that each key goes to. */
export const GO_KEYS: Readonly<Record<string, string>> = {
  o: '/orders',
  q: '/work',
  d: '/delivery',
  l: '/listings',
  e: '/events',
  r: '/reports',
  a: '/settings/audit',
};
