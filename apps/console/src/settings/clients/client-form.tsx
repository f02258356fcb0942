import { Checkbox, NativeSelect } from '@mantine/core';
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
import { IssuedSecret } from '../issued-secret.js';

const FIELDS = ['name', 'client_id', 'secret'] as const;
const TEXTS = {
  name: { label: words.name, description: words.nameHint },
  client_id: { label: words.id, description: words.idHint },
  secret: { label: words.secret, description: words.secretHint },
} as const;

/** Adds a platform client and shows its secret once. */
export function ClientForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const client = useQueryClient();
  const [typed, setTyped] = useState({ name: '', client_id: '', secret: '' });
  const [variant, setVariant] = useState<PlatformClient['variant']>('payment');
  const [requireRefId, setRequireRefId] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const create = useMutationOnce({
    mutationFn: () => {
      const [name, id, secret] = [typed.name.trim(), typed.client_id.trim(), typed.secret.trim()];
      const own = { ...(id !== '' && { client_id: id }), ...(secret !== '' && { secret }) };
      return ask('POST clients', { body: { name, ...own, variant, require_ref_id: requireRefId } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['clients'] }),
    gcTime: 0,
  });
  const submit = () => {
    setMissing(typed.name.trim() === '');
    if (typed.name.trim() !== '') create.mutate();
  };
  if (create.data) {
    const { client_id, secret } = create.data;
    const values = [
      { name: words.id, value: client_id },
      { name: words.secret, value: secret },
    ];
    return (
      <IssuedSecret title={words.add} onClose={onClose} values={values}>
        {words.once}
      </IssuedSecret>
    );
  }
  const refused = fieldErrors(create.error, FIELDS);
  return (
    <DialogForm
      title={words.add}
      submit={words.create}
      cancel={settingsWords.cancel}
      error={Object.keys(refused).length === 0 ? create.error : null}
      typed={{ typed, variant, requireRefId }}
      isPending={create.isPending}
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
      <NativeSelect
        label={words.variant}
        value={variant}
        data={[...words.variantOptions]}
        onChange={({ currentTarget }) =>
          setVariant(words.variantOptions.find(({ value }) => value === currentTarget.value)?.value ?? variant)
        }
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
