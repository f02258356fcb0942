import { Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/field-errors.js';
import { ask } from '../../api/http.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { TextFields } from '../../frame/text-fields.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { keyWords } from './key-words.js';
import { settingsWords } from '../settings-words.js';
import { IssuedSecret } from '../issued-secret.js';
import { wrongRights } from './discovery-key-rights.js';

const words = keyWords.discovery;
const FIELDS = ['name', 'client_id', 'rate_per_second', 'max_per_page'] as const;
const TEXTS = {
  name: { label: words.name, description: words.nameHint },
  client_id: { label: words.id, description: words.idHint },
  rate_per_second: { label: words.rate, description: words.rateHint, inputMode: 'numeric' },
  max_per_page: { label: words.pages, description: words.pagesHint, inputMode: 'numeric' },
} as const;
const USUAL_PAGES = '500';

/** Adds a discovery key; shows its secret once if it has one. */
export function DiscoveryKeyForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const client = useQueryClient();
  const [typed, setTyped] = useState({ name: '', client_id: '', rate_per_second: '', max_per_page: USUAL_PAGES });
  const [withSecret, setWithSecret] = useState(false);
  const [wrong, setWrong] = useState<Partial<typeof typed>>({});
  const create = useMutationOnce({
    mutationFn: () => {
      const { name, client_id: id, rate_per_second: rate } = typed;
      const optional = {
        ...(id.trim() !== '' && { client_id: id.trim() }),
        ...(rate.trim() !== '' && { rate_per_second: Number(rate) }),
      };
      const pages = { max_per_page: Number(typed.max_per_page) };
      const body = { name: name.trim(), with_secret: withSecret, ...pages, ...optional };
      return ask('POST discovery-keys', { body });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['discovery-keys'] }),
    gcTime: 0,
  });
  const submit = () => {
    const found = {
      ...(typed.name.trim() === '' && { name: words.missing }),
      ...wrongRights(typed),
    };
    setWrong(found);
    if (Object.keys(found).length === 0) create.mutate();
  };
  if (create.data) {
    const { client_id, client_secret: secret } = create.data;
    const values = [
      { name: words.id, value: client_id },
      ...(secret === undefined ? [] : [{ name: words.secret, value: secret }]),
    ];
    return (
      <IssuedSecret title={words.add} onClose={onClose} values={values}>
        {secret === undefined ? words.made : words.once}
      </IssuedSecret>
    );
  }
  const errors = { ...fieldErrors(create.error, FIELDS), ...wrong };
  return (
    <DialogForm
      title={words.add}
      submit={words.create}
      cancel={settingsWords.cancel}
      error={Object.keys(errors).length === 0 ? create.error : null}
      typed={{ typed, withSecret }}
      isPending={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextFields fields={FIELDS} texts={TEXTS} typed={typed} errors={errors} onType={setTyped} />
      <Checkbox
        label={words.withSecret}
        description={words.withSecretHint}
        checked={withSecret}
        onChange={({ currentTarget }) => setWithSecret(currentTarget.checked)}
      />
    </DialogForm>
  );
}
