import { Link } from '@tanstack/react-router';
import { ShortId } from './short-id.js';

/** Links to an order. Its accessible name is the whole id. */
export function OrderLink({ id }: Readonly<{ id: string }>) {
  return (
    <Link to="/orders/$id" params={{ id }} aria-label={id} title={id}>
      <ShortId id={id} />
    </Link>
  );
}
