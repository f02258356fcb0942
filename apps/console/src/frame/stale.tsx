import type { ReactNode } from 'react';
import { frame } from '../words/frame.js';

type Props = Readonly<{
  /** What is shown answers an earlier question. */
  when: boolean;
  className?: string;
  /** False if the page says it in another place. */
  note?: boolean;
  children: ReactNode;
}>;

/** The answer to an earlier question, while a new one is on its way: it is seen to be old, and nothing in it can be used. */
export function Stale({ when, className = '', note = true, children }: Props) {
  return (
    <>
      {note && (
        <div className="news-line" role="status">
          {when && <p className="stale-note">{frame.asking}</p>}
        </div>
      )}
      <div className={`${className}${when ? ' stale' : ''}`} aria-busy={when} inert={when}>
        {children}
      </div>
    </>
  );
}
