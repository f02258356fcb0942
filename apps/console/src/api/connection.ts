// Whether the server answers, as the latest request found.
let lostAt: string | null = null;
const listeners = new Set<() => void>();

export const connectionLostAt = (): string | null => lostAt;

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function serverAnswered(): void {
  change(null);
}

export function serverWasSilent(): void {
  if (lostAt === null) change(new Date().toISOString());
}

function change(value: string | null): void {
  if (lostAt === value) return;
  lostAt = value;
  for (const listener of listeners) listener();
}
