import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListingDocument } from '#listings/listing.contract';
import type { ListingPatchResult } from '#listings/listing-patch.contract';
import { ask } from '../api/http.js';
import { keysOf } from '../api/keys-of.js';
import { refusalText } from '../api/refusal-text.js';
import { DataTable } from '../frame/data-table.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { DialogForm } from '../frame/dialog-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { bulkWords as words } from './bulk-words.js';
import { sentencesOf } from './change-sentences.js';
import { type ChangeKind, type ListingLine, linesOf } from './listing-change.js';

const KINDS = keysOf(words.kinds);

type Props = Readonly<{
  listings: readonly ListingDocument[];
  /** With the ids of the refused ones. */
  onDone: (refused: readonly string[]) => void;
  onClose: () => void;
}>;

/** Makes the same change to all selected listings, in one request. What is refused is shown with its reason. */
export function ChangeListingsDialog({ listings, onDone, onClose }: Props) {
  const client = useQueryClient();
  const [kind, setKind] = useState<ChangeKind>('price');
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const lines = linesOf(kind, typed, listings);
  const send = useMutationOnce({
    mutationFn: (listed: readonly ListingLine[]) => ask('PATCH listings', { body: { listings: [...listed] } }),
    onSuccess: ({ results }) => {
      onDone(refusedIn(results, listings).map(({ id }) => id));
      return client.invalidateQueries();
    },
  });
  if (send.data) return <Outcome results={send.data.results} listings={listings} onClose={onClose} />;
  const field = kind === 'withdrawn' || kind === 'on_sale' ? undefined : kind;
  return (
    <DialogForm
      title={words.title(listings.length)}
      submit={words.submit(listings.length)}
      cancel={words.cancel}
      typed={{ kind, typed }}
      error={send.error}
      isPending={send.isPending}
      onSubmit={() => {
        setMissing(lines === undefined);
        if (lines) send.mutate(lines);
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
    </DialogForm>
  );
}

type OutcomeProps = Pick<Props, 'listings' | 'onClose'> & Readonly<{ results: readonly ListingPatchResult[] }>;

function Outcome({ results, listings, onClose }: OutcomeProps) {
  const numberOf = (outcome: ListingPatchResult['outcome']) => results.filter((one) => one.outcome === outcome).length;
  const unchanged = numberOf('unchanged');
  const refused = refusedIn(results, listings);
  return (
    <Dialog title={words.title(listings.length)} typed={null} onClose={onClose}>
      <div className="stack">
        <p role="status">
          {words.changed(numberOf('changed'))} {unchanged > 0 && words.unchanged(unchanged)}
        </p>
        {refused.length > 0 && (
          <>
            <p>{words.refused(refused.length)}</p>
            <DataTable
              label={words.refusals}
              rows={refused}
              keyOf={({ id }) => id}
              empty=""
              columns={[
                { id: 'listing', name: words.listing, cell: ({ id }) => <span className="mono">{id}</span> },
                { id: 'reason', name: words.reason, cell: ({ reason }) => reason },
              ]}
            />
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
const refusedIn = (results: readonly ListingPatchResult[], listings: readonly ListingDocument[]) =>
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
