/** As written on this machine's keyboard. */
export const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl+K';

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
