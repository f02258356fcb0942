import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../api/session.js';
import { mayLeave } from './unsaved.js';

const before = new Set<() => Promise<unknown>>();

/** Has this done before the session ends. @returns ends that */
export function beforeSignOut(work: () => Promise<unknown>): () => void {
  before.add(work);
  return () => void before.delete(work);
}

/** Signs out, after a question if something written would be lost. */
export function useSignOut(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    if (!(await mayLeave())) return;
    await Promise.all([...before].map((work) => work()));
    await signOut(client).catch(() => undefined);
    await navigate({ to: '/sign-in', ignoreBlocker: true });
  };
  return () => void leave();
}
