import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { PATH_PREFIX } from '../api/path-prefix.js';
import { ShortId } from './short-id.js';

/** Links to an order. Its accessible name is the whole id. Not a Link of the router, which takes several times as long in each row of a list. */
export function OrderLink({ id, parts }: Readonly<{ id: string; parts?: readonly string[] }>) {
  const router = useRouter();
  const open = (event: MouseEvent) => {
    // The browser opens it in another tab or window.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: '/orders/$id', params: { id } });
  };
  return (
    <a href={`${PATH_PREFIX}/orders/${encodeURIComponent(id)}`} aria-label={id} title={id} onClick={open}>
      <ShortId id={id} {...(parts && { parts })} />
    </a>
  );
}
