import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ListingDocument } from '#listings/listing.contract';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { bulkWords as words } from './bulk-words.js';
import { type ListingQuestion, matchingListings } from './matching-listings.js';

type Props = Readonly<{
  question: ListingQuestion;
  onRead: (listings: readonly ListingDocument[]) => void;
  onClose: () => void;
}>;

/** Reads all listings that match, so that the next question can say how many change and to what. */
export function MatchingListingsDialog({ question, onRead, onClose }: Props) {
  const [count, setCount] = useState(0);
  const reading = useQuery({
    queryKey: ['matching-listings', question],
    queryFn: ({ signal }) => matchingListings(question, setCount, signal),
    // Read again each time: what is shown before a change must be true.
    gcTime: 0,
  });
  const { data, isFetching } = reading;
  useEffect(() => {
    if (!data || isFetching) return;
    if (data.length > 0) onRead(data);
    else onClose();
  }, [data, isFetching]);
  return (
    <Dialog title={words.titleAll} typed={null} onClose={onClose}>
      <div className="stack">
        <p role="status">{words.counting(count)}</p>
        {reading.error && <Failure error={reading.error} retry={() => void reading.refetch()} />}
        <div className="row end">
          <CancelButton hasFocus>{words.cancel}</CancelButton>
        </div>
      </div>
    </Dialog>
  );
}
