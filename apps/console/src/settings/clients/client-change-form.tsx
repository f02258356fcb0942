import { Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlatformClient } from '#accounts/platform-client.contract';
import { fieldErrors } from '../../api/field-errors.js';
import { ask } from '../../api/http.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { TextFields } from '../../frame/text-fields.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { clientWords as words } from './client-words.js';
import { settingsWords } from '../settings-words.js';

const FIELDS = ['name'] as const;
const TEXTS = { name: { label: words.name, description: words.nameHint } } as const;

type Props = Readonly<{ client: PlatformClient; onClose: () => void }>;

/** Changes the name of a platform client, and whether it must send a `ref_id`. */
export function ClientChangeForm({ client: { client_id, name, require_ref_id }, onClose }: Props) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState({ name });
  const [requireRefId, setRequireRefId] = useState(require_ref_id);
  const [isMissing, setMissing] = useState(false);
  const save = useMutationOnce({
    mutationFn: () =>
      ask('PATCH clients/{client_id}', {
        path: { client_id },
        body: { name: typed.name.trim(), require_ref_id: requireRefId },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['clients'] });
      onClose();
    },
  });
  const submit = () => {
    setMissing(typed.name.trim() === '');
    if (typed.name.trim() !== '') save.mutate();
  };
  const refused = fieldErrors(save.error, FIELDS);
  return (
    <DialogForm
      title={words.editOf(name)}
      submit={words.save}
      cancel={settingsWords.cancel}
      error={Object.keys(refused).length === 0 ? save.error : null}
      typed={{ typed, requireRefId }}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextFields
        fields={FIELDS}
        texts={TEXTS}
        typed={typed}
        errors={{ ...refused, ...(isMissing && { name: words.missing }) }}
        onType={setTyped}
      />
      <Checkbox
        label={words.requireRefId}
        description={words.requireRefIdHint}
        checked={requireRefId}
        onChange={({ currentTarget }) => setRequireRefId(currentTarget.checked)}
      />
    </DialogForm>
  );
}
