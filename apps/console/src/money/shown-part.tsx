import { type ReactNode, useEffect, useRef } from 'react';

/** A part that a link on the same page has opened, which may be out of sight. */
export function ShownPart({ children }: Readonly<{ children: ReactNode }>) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Not returned: in newer browsers it is a promise, and an effect may return nothing but a function.
    part.current?.scrollIntoView({ block: 'start' });
  }, []);
  return <div ref={part}>{children}</div>;
}
