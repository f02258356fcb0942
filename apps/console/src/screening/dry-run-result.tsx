import { Button } from '@mantine/core';
import { Failure } from '../frame/failure.js';
import { OrderLink } from '../frame/order-link.js';
import { Status } from '../frame/status.js';
import { Time } from '../frame/time.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { exactTime, number } from '../words/formats.js';
import { screeningWords as words } from './screening-words.js';
import { conditionFault } from './condition-fault.js';
import { type Entry, KINDS, type RuleKind } from './rule-kinds.js';

type Props = Readonly<{ kind: RuleKind; entry: Entry; isReady: boolean }>;

/** What the rule of the form would have done. */
export function DryRunResult({ kind, entry, isReady }: Props) {
  const { tryOut, words: own } = KINDS[kind];
  const run = useMutationOnce({
    mutationFn: () => tryOut(entry),
    gcTime: 0,
  });
  const fault = conditionFault(run.error);
  return (
    <div className="dry-run stack">
      <div className="row wrap">
        <Button variant="default" disabled={!isReady} loading={run.isPending} onClick={() => run.mutate()}>
          {words.dryRun}
        </Button>
        <span className="soft small">{words.dryRunHint}</span>
      </div>
      {fault !== undefined && (
        <p role="alert" className="field-error">
          {fault}
        </p>
      )}
      {run.error && fault === undefined && <Failure error={run.error} />}
      {run.data && !run.isPending && (
        <div role="status">
          <p>{own.found(number(run.data.orders))}</p>
          {!run.data.complete && (
            <p className="soft small">{words.partly(number(run.data.looked_at), exactTime(run.data.from))}</p>
          )}
          {run.data.sample.length > 0 && (
            <>
              <p className="soft small">{words.newest}</p>
              <ul className="dry-run-orders">
                {run.data.sample.map(({ id, status, placed_at: at }) => (
                  <li key={id}>
                    <OrderLink id={id} />
                    <Status status={status} />
                    <Time at={at} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </div>
  );
}
