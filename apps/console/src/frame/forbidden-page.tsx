import { frame } from '../words/frame.js';
import { PageHead } from './page-head.js';

/** Stands in place of a page that the role of this person does not open. */
export function ForbiddenPage({ name }: Readonly<{ name: string }>) {
  return (
    <div className="page">
      <PageHead title={name} />
      <p className="alert">{frame.forbidden}</p>
    </div>
  );
}
