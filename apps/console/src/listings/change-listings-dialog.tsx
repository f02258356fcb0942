import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ListingDocument } from '#listings/listing.contract';
import { keysOf } from '../api/keys-of.js';
import { DialogForm } from '../frame/dialog-form.js';
import { bulkWords as words } from './bulk-words.js';
import { sentencesOf } from './change-sentences.js';
import { ChangesOutcome, refusedIn } from './changes-outcome.js';
import { type ChangeKind, linesOf } from './listing-change.js';
import { useListingChanges } from './use-listing-changes.js';

const KINDS = keysOf(words.kinds);

type Props = Readonly<{
  listings: readonly ListingDocument[];
  /** With the ids of the refused ones. */
  onDone: (refused: readonly string[]) => void;
  onClose: () => void;
}>;

/** Makes the same change to all these listings. What is refused is shown with its reason. */
export function ChangeListingsDialog({ listings, onDone, onClose }: Props) {
  const [kind, setKind] = useState<ChangeKind>('price');
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const lines = linesOf(kind, typed, listings);
  const sent = useListingChanges((results) => onDone(refusedIn(results, listings).map(({ id }) => id)));
  if (sent.isDone || (sent.results.length > 0 && sent.error))
    return <ChangesOutcome sent={sent} listings={listings} onClose={onClose} />;
  const field = kind === 'withdrawn' || kind === 'on_sale' ? undefined : kind;
  return (
    <DialogForm
      title={words.title(listings.length)}
      submit={words.submit(listings.length)}
      cancel={words.cancel}
      typed={{ kind, typed }}
      error={sent.error}
      isPending={sent.isPending}
      onSubmit={() => {
        setMissing(lines === undefined);
        if (lines) sent.send(lines);
      }}
      onClose={onClose}
    >
      <NativeSelect
        label={words.action}
        value={kind}
        data={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        onChange={({ currentTarget }) => {
          setKind(KINDS.find((one) => one === currentTarget.value) ?? kind);
          setTyped('');
          setMissing(false);
        }}
        data-autofocus
      />
      {field && (
        <TextInput
          label={words.typed[field]}
          description={words.hint[field]}
          inputMode={field === 'quantity' ? 'numeric' : 'text'}
          autoComplete="off"
          value={typed}
          error={isMissing && !lines && words.wrong[field]}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {lines && <p role="status">{sentencesOf(kind, lines, listings).join(' ')}</p>}
      {sent.isPending && sent.results.length > 0 && (
        <div className="stack-tight">
          <progress max={sent.lines.length} value={sent.results.length} aria-label={words.progress} />
          <span className="soft small">{words.progressText(sent.results.length, sent.lines.length)}</span>
        </div>
      )}
    </DialogForm>
  );
}
