// A request that finds the session expired waits here until the person has signed in again over the page.
type Listener = () => void;

let waiting: Promise<void> | undefined;
let finish: (() => void) | undefined;
const listeners = new Set<Listener>();

const tell = () => listeners.forEach((listener) => listener());

/** Asks for the password. Resolves when the person has signed in again. */
export function untilSignedInAgain(): Promise<void> {
  waiting ??= new Promise<void>((resolve) => (finish = resolve));
  tell();
  return waiting;
}

/** The person has signed in again, or leaves for the sign-in page. */
export function signedInAgain(): void {
  finish?.();
  waiting = undefined;
  finish = undefined;
  tell();
}

export const isSessionExpired = (): boolean => waiting !== undefined;

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
