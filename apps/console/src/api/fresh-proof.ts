// A request that the server refuses without a proof waits here until the person has said who they are, over the page.
type Listener = () => void;

let waiting: Promise<boolean> | undefined;
let finish: ((isConfirmed: boolean) => void) | undefined;
const listeners = new Set<Listener>();

const tell = () => listeners.forEach((listener) => listener());

/** Asks for the proof. Resolves with whether the person has given it. */
export function untilConfirmed(): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => (finish = resolve));
  tell();
  return waiting;
}

/** The person has given the proof, or gives none. */
export function endProof(isConfirmed: boolean): void {
  finish?.(isConfirmed);
  waiting = undefined;
  finish = undefined;
  tell();
}

export const isProofAsked = (): boolean => waiting !== undefined;

export function onProofChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const CHANNEL = 'willcall-proof';

/** In the tab that comes back from the OpenID provider: the tab that asked goes on. */
export function announceProof(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('confirmed');
  channel.close();
}

/** In the tab that asks. Returns how to stop. */
export function followProofs(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => endProof(true);
  return () => channel.close();
}
