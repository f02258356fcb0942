import type { ListingDocument } from '#listings/listing.contract';
import type { ListingPatchResult } from '#listings/listing-patch.contract';
import { refusalText } from '../api/refusal-text.js';
import { DataTable } from '../frame/data-table.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { bulkWords as words } from './bulk-words.js';
import type { useListingChanges } from './use-listing-changes.js';

// More than anybody reads in a dialog.
const MOST_SHOWN = 200;

type Props = Readonly<{
  sent: ReturnType<typeof useListingChanges>;
  listings: readonly ListingDocument[];
  onClose: () => void;
}>;

/** What became of each line of a change, and the way on if not all of it has arrived. */
export function ChangesOutcome({ sent: { results, lines, error, isPending, send }, listings, onClose }: Props) {
  const numberOf = (outcome: ListingPatchResult['outcome']) => results.filter((one) => one.outcome === outcome).length;
  const unchanged = numberOf('unchanged');
  const refused = refusedIn(results, listings);
  const unsent = lines.length - results.length;
  return (
    <Dialog title={words.title(listings.length)} typed={null} isPending={isPending} onClose={onClose}>
      <div className="stack">
        <p role="status">
          {words.changed(numberOf('changed'))} {unchanged > 0 && words.unchanged(unchanged)}{' '}
          {unsent > 0 && words.unsent(unsent)}
        </p>
        {error && <Failure error={error} retry={() => send(lines)} />}
        {refused.length > 0 && (
          <>
            <p>{words.refused(refused.length)}</p>
            <DataTable
              label={words.refusals}
              rows={refused.slice(0, MOST_SHOWN)}
              keyOf={({ id }) => id}
              empty=""
              columns={[
                { id: 'listing', name: words.listing, cell: ({ id }) => <span className="mono">{id}</span> },
                { id: 'reason', name: words.reason, cell: ({ reason }) => reason },
              ]}
            />
            {refused.length > MOST_SHOWN && <p>{words.moreRefused(refused.length - MOST_SHOWN)}</p>}
          </>
        )}
        <div className="row end">
          <CancelButton hasFocus>{words.close}</CancelButton>
        </div>
      </div>
    </Dialog>
  );
}

/** The results are in the order of the lines. A line that was not understood has no id in its result. */
export const refusedIn = (results: readonly ListingPatchResult[], listings: readonly ListingDocument[]) =>
  results.flatMap(({ outcome, errors = [] }, index) =>
    outcome === 'refused'
      ? [
          {
            id: listings[index]?.listing_id ?? '',
            reason: errors.map(({ message }) => refusalText(message)).join(' '),
          },
        ]
      : [],
  );
