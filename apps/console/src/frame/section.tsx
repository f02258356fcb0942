import type { ReactNode } from 'react';

type Props = Readonly<{ title: string; hint?: string; action?: ReactNode; children: ReactNode }>;

/** A part of a page with its own heading and actions. */
export function Section({ title, hint, action, children }: Props) {
  return (
    <section className="section">
      <div className="section-head">
        <div>
          <h2>{title}</h2>
          {hint !== undefined && <p className="soft small">{hint}</p>}
        </div>
        <div className="grow" />
        {action}
      </div>
      {children}
    </section>
  );
}
