import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { assigneesQuery } from '../api/order-changes.js';
import { Failure } from '../frame/failure.js';
import { selectionWords as words } from '../words/order-selection.js';

type TypedTags = Readonly<{ add: string; remove: string }>;

/** The tags to add and to remove, separated by commas. */
export function TagFields(props: Readonly<{ tags: TypedTags; error?: string; onChange: (tags: TypedTags) => void }>) {
  const { tags, error = '', onChange } = props;
  return (
    <>
      <TextInput
        label={words.tagsToAdd}
        description={words.tagsHint}
        value={tags.add}
        error={error}
        maxLength={500}
        onChange={({ currentTarget }) => onChange({ ...tags, add: currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label={words.tagsToRemove}
        value={tags.remove}
        maxLength={500}
        onChange={({ currentTarget }) => onChange({ ...tags, remove: currentTarget.value })}
      />
    </>
  );
}

type AssigneeProps = Readonly<{ assignee: string; onChange: (id: string) => void }>;

/** The colleague who is to have the orders; empty is nobody. */
export function AssigneeField({ assignee, onChange }: AssigneeProps) {
  const { data = [], error, refetch } = useQuery(assigneesQuery);
  const options = data.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <NativeSelect
        label={words.assignee}
        value={assignee}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data={[{ value: '', label: words.nobody }, ...options]}
        data-autofocus
      />
    </>
  );
}
