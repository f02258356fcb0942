import { isStale } from '../../api/order-changes.js';
import { Failure } from '../../frame/failure.js';

type Props = Readonly<{
  error: Error | null;
  /** The error if somebody else was faster. */
  stale: string;
}>;

export function ChangeFailure({ error, stale }: Props) {
  if (!error) return null;
  if (!isStale(error)) return <Failure error={error} />;
  return (
    <div className="alert" role="alert">
      {stale}
    </div>
  );
}
