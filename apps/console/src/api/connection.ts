// Whether the server answered the latest request, and whether it sends live changes.
let silentSince: string | null = null;
let unheardSince: string | null = null;
const listeners = new Set<() => void>();

/** Since when the page may be out of date; null if it is not. */
export const connectionLostAt = (): string | null => silentSince ?? unheardSince;

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function serverAnswered(): void {
  if (silentSince === null) return;
  silentSince = null;
  tell();
}

export function serverWasSilent(): void {
  if (silentSince !== null) return;
  silentSince = new Date().toISOString();
  tell();
}

export function changesWereHeard(): void {
  if (unheardSince === null) return;
  unheardSince = null;
  tell();
}

export function changesWereLost(since: string): void {
  if (unheardSince !== null) return;
  unheardSince = since;
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}
