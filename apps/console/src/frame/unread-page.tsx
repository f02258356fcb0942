import { isNotFound } from '../api/api-error.js';
import { frame } from '../words/frame.js';
import { Failure } from './failure.js';
import { PageHead } from './page-head.js';
import { SkeletonRows } from './skeleton-rows.js';

type Props = Readonly<{
  back: Readonly<{ to: string; name: string }>;
  /** The heading while it is not known whether the thing exists. */
  title: string;
  query: Readonly<{ error: unknown; refetch: () => unknown }>;
  /** What to say if it does not exist. */
  missing: string;
}>;

/** Stands for one thing that is still loading, does not exist or could not be read. */
export function UnreadPage({ back, title, query, missing }: Props) {
  const { error, refetch } = query;
  const isMissing = isNotFound(error);
  return (
    <div className="page stack">
      <PageHead back={back} title={isMissing ? frame.notFound : title} />
      {isMissing && <p className="soft">{missing}</p>}
      {error !== null && !isMissing && <Failure error={error} retry={() => void refetch()} />}
      {error === null && <SkeletonRows />}
    </div>
  );
}
