import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListingPatchResult } from '#listings/listing-patch.contract';
import { ask } from '../api/http.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import type { ListingLine } from './listing-change.js';

// As many lines as the api takes at once.
const LINES_AT_ONCE = 1_000;

/**
 * Sends lines, some at a time. After a failure `send` goes on where the answers end: the lines that it repeats change nothing twice.
 * @param onDone told the results of all lines
 */
export function useListingChanges(onDone: (results: readonly ListingPatchResult[]) => void) {
  const client = useQueryClient();
  const [results, setResults] = useState<readonly ListingPatchResult[]>([]);
  const sending = useMutationOnce({
    mutationFn: async (lines: readonly ListingLine[]) => {
      const known = [...results];
      while (known.length < lines.length) {
        const listings = lines.slice(known.length, known.length + LINES_AT_ONCE);
        known.push(...(await ask('PATCH listings', { body: { listings } })).results);
        setResults([...known]);
      }
      return known;
    },
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries(),
  });
  const { mutate: send, variables: lines = [], data, error, isPending } = sending;
  return { send, lines, results, isDone: data !== undefined, error, isPending };
}
