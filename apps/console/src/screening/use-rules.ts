import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isStale } from '../api/order-changes.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { type Entry, KINDS, type Listed, type RuleKind } from './rule-kinds.js';

const NONE: Listed = { version: 0, entries: [] };

/** The API replaces the whole list, so each change sends it with the others as the person saw them. */
export function useRules(kind: RuleKind) {
  const { read, replace: replaceAll } = KINDS[kind];
  const queryKey = ['screening', kind];
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
  });
  const [edited, setEdited] = useState<Entry | 'new' | null>(null);
  /** The list that a change is made from: the one that the person saw when the dialog opened. */
  const [seen, setSeen] = useState<Listed>();
  const [removed, setRemoved] = useState<Entry | null>(null);
  const change = useMutationOnce({
    mutationFn: async (changed: (entries: readonly Entry[]) => readonly Entry[]) => {
      const { version, entries } = (edited === null && removed === null ? undefined : seen) ?? data ?? NONE;
      await replaceAll({ version, entries: changed(entries) });
    },
    onSuccess: () => {
      setRemoved(null);
      return client.invalidateQueries({ queryKey });
    },
    // The next try is made from the list as it is now, which the person has been told to look at.
    onError: async (failure) => {
      if (isStale(failure)) setSeen((await refetch()).data);
    },
  });
  const replace = (entry: Entry) =>
    change.mutateAsync((entries) =>
      entries.some(({ id }) => id !== undefined && id === entry.id)
        ? entries.map((one) => (one.id === entry.id ? entry : one))
        : [...entries, entry],
    );
  return {
    entries: data?.entries ?? NONE.entries,
    query: { error, isPending, refetch },
    change,
    replace,
    edited,
    removed,
    edit: (entry: Entry | 'new') => {
      setSeen(data);
      setEdited(entry);
    },
    askToRemove: (entry: Entry) => {
      setSeen(data);
      setRemoved(entry);
    },
    close: () => {
      change.reset();
      setEdited(null);
      setRemoved(null);
    },
  };
}
