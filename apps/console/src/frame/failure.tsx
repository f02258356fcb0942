import { Button } from '@mantine/core';
import { ApiError } from '../api/api-error.js';
import { errorText } from '../words/error-text.js';
import { frame } from '../words/frame.js';
import { CopyButton } from './copy-button.js';

type Props = Readonly<{
  error: unknown;
  retry?: () => void;
  /** What to say if somebody else was faster. */
  stale?: string;
}>;

/** What happened, what to do, and the trace id for whoever looks into it. */
export function Failure({ error, retry, stale }: Props) {
  const text = stale !== undefined && error instanceof ApiError && error.status === 412 ? stale : errorText(error);
  const trace = error instanceof ApiError ? error.transactionId : null;
  return (
    <div className="alert" role="alert">
      <div className="row">
        <span>{text}</span>
        {retry && (
          <Button variant="default" size="compact-xs" onClick={retry}>
            {frame.tryAgain}
          </Button>
        )}
      </div>
      {trace !== null && (
        <div className="row small soft">
          {frame.trace} <span className="mono">{trace}</span>
          <CopyButton text={trace} what={frame.trace} />
        </div>
      )}
    </div>
  );
}
