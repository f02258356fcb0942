import { useState } from 'react';
import type { ListingDocument } from '#listings/listing.contract';
import { lazyPart } from '../frame/lazy-part.js';
import { SelectionBar } from '../frame/selection-bar.js';
import type { Selection } from '../frame/use-selection.js';
import { bulkWords as words } from './bulk-words.js';
import type { ListingQuestion } from './matching-listings.js';

const ChangeListingsDialog = lazyPart(async () => (await import('./change-listings-dialog.js')).ChangeListingsDialog);
const MatchingListingsDialog = lazyPart(
  async () => (await import('./matching-listings-dialog.js')).MatchingListingsDialog,
);

type Props = Readonly<{
  /** All that are shown. */
  listings: readonly ListingDocument[];
  /** What the list is asked. */
  question: ListingQuestion;
  /** The list has more than what is shown. */
  hasMore: boolean;
  selection: Selection;
  /** The list answers an earlier question. */
  isOff: boolean;
}>;

/** What can be done with the selected listings, or with all that match. Those that are no longer shown do not count. */
export function ListingSelection({ listings, question, hasMore, selection: { selected, setSelected }, isOff }: Props) {
  const [asked, setAsked] = useState<'all' | readonly ListingDocument[] | null>(null);
  const chosen = listings.filter(({ listing_id: id }) => selected.has(id));
  const isPart = chosen.length < listings.length;
  const close = () => setAsked(null);
  return (
    <>
      <SelectionBar
        count={chosen.length}
        isOff={isOff}
        acts={[
          { text: words.change, act: () => setAsked(chosen) },
          ...(isPart || hasMore ? [{ text: words.changeAll, act: () => setAsked('all') }] : []),
          ...(isPart
            ? [{ text: words.all, act: () => setSelected(new Set(listings.map(({ listing_id: id }) => id))) }]
            : []),
        ]}
        onClear={() => setSelected(new Set())}
      />
      {asked === 'all' && <MatchingListingsDialog question={question} onRead={setAsked} onClose={close} />}
      {asked !== null && asked !== 'all' && (
        <ChangeListingsDialog listings={asked} onDone={(refused) => setSelected(new Set(refused))} onClose={close} />
      )}
    </>
  );
}
