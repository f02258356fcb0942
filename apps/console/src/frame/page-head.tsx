import { type ReactNode, useEffect } from 'react';

/** The heading of a page. It is also the title in the browser. */
export function PageHead({ title, hint, children }: Readonly<{ title: string; hint?: string; children?: ReactNode }>) {
  useEffect(() => {
    document.title = `${title} · Willcall`;
  }, [title]);
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {hint !== undefined && <p className="soft small">{hint}</p>}
      </div>
      <div className="grow" />
      {children}
    </header>
  );
}
