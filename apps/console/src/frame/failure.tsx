import { Button } from '@mantine/core';
import { ApiError } from '../api/api-error.js';
import { errorText } from '../words/error-text.js';
import { frame } from '../words/frame.js';
import { CopyButton } from './copy-button.js';

/** What happened, what to do, and the trace id for whoever looks into it. */
export function Failure({ error, retry }: Readonly<{ error: unknown; retry?: () => void }>) {
  const trace = error instanceof ApiError ? error.transactionId : null;
  return (
    <div className="alert" role="alert">
      <div className="row">
        <span>{errorText(error)}</span>
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
