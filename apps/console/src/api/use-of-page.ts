// Pages ask again by themselves. Without a person that is no use of the session, which would otherwise never end at an unattended desk.

/** Longer than the time between two questions of a page, so that typing a long note keeps the session alive. */
const USE_LASTS_MS = 60_000;
// Not the pointer's moves: browsers report some when only the page below it has changed.
const KINDS = ['pointerdown', 'keydown', 'wheel', 'touchstart'];

// Somebody has opened the page.
let usedAt = performance.now();

for (const kind of KINDS) {
  window.addEventListener(kind, () => (usedAt = performance.now()), { capture: true, passive: true });
}

/** Whether a person has used the page within the last minute. */
export const isInUse = (): boolean => performance.now() - usedAt < USE_LASTS_MS;
