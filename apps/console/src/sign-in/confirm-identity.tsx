import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { followProofs, isProofAsked, onProofChange } from '../api/fresh-proof.js';
import { sessionQuery } from '../api/session.js';
import { soonPart } from '../frame/lazy-part.js';

const ConfirmIdentityDialog = soonPart(
  async () => (await import('./confirm-identity-dialog.js')).ConfirmIdentityDialog,
);

/** Asks over the page who the person is, before something that changes who has access. The page keeps its contents. */
export function ConfirmIdentity() {
  const asked = useSyncExternalStore(onProofChange, isProofAsked);
  const { data: session } = useQuery(sessionQuery);
  useEffect(() => (asked ? followProofs() : undefined), [asked]);
  return asked && session ? <ConfirmIdentityDialog session={session} /> : null;
}
