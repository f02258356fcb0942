import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ListingDocument } from '#listings/listing.contract';
import { lazyPart } from '../frame/lazy-part.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { bulkWords as words } from './bulk-words.js';

const ChangeListingsDialog = lazyPart(async () => (await import('./change-listings-dialog.js')).ChangeListingsDialog);

const MOST = 1_000;

type Props = Readonly<{
  /** All that are shown. */
  listings: readonly ListingDocument[];
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  /** The list answers an earlier question. */
  isOff: boolean;
}>;

/** What can be done with the selected listings. Those that are no longer shown do not count. */
export function ListingSelection({ listings, selected, onSelect, isOff }: Props) {
  const [changed, setChanged] = useState<readonly ListingDocument[] | null>(null);
  const chosen = listings.filter(({ listing_id: id }) => selected.has(id));
  const clear = () => onSelect(new Set());
  useShortcuts({ Escape: clear });
  const isTooMany = chosen.length > MOST;
  return (
    <>
      <div className={`selection${chosen.length > 0 ? '' : ' visually-hidden'}`} role="status" inert={isOff}>
        {chosen.length > 0 && (
          <>
            <span>{words.selected(chosen.length)}</span>
            {isTooMany && <span className="soft">{words.tooMany(MOST)}</span>}
            <Button variant="default" size="compact-sm" disabled={isTooMany} onClick={() => setChanged(chosen)}>
              {words.change}
            </Button>
            {chosen.length < listings.length && (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => onSelect(new Set(listings.map(({ listing_id: id }) => id)))}
              >
                {words.all}
              </Button>
            )}
            <Button variant="subtle" color="gray" size="compact-sm" onClick={clear}>
              {words.clear}
            </Button>
          </>
        )}
      </div>
      {changed && (
        <ChangeListingsDialog
          listings={changed}
          onDone={(refused) => onSelect(new Set(refused))}
          onClose={() => setChanged(null)}
        />
      )}
    </>
  );
}
