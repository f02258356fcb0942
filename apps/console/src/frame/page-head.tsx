import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

type Props = Readonly<{
  title: string;
  hint?: string;
  /** The list that a page of one thing belongs to. */
  back?: Readonly<{ to: string; name: string }>;
  children?: ReactNode;
}>;

/** The heading of a page. It is also the title in the browser. */
export function PageHead({ title, hint, back, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Willcall`;
  }, [title]);
  return (
    <>
      {back && (
        <Link to={back.to} className="small">
          ← {back.name}
        </Link>
      )}
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {hint !== undefined && <p className="soft small">{hint}</p>}
        </div>
        <div className="grow" />
        {children}
      </header>
    </>
  );
}
