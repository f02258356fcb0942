import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DiscoveryKey } from '#accounts/discovery-key.contract';
import { fieldErrors } from '../../api/field-errors.js';
import { ask } from '../../api/http.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { TextFields } from '../../frame/text-fields.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { keyWords } from './key-words.js';
import { settingsWords } from '../settings-words.js';
import { wrongRights } from './discovery-key-rights.js';

const words = keyWords.discovery;
const FIELDS = ['rate_per_second', 'max_per_page'] as const;
const TEXTS = {
  rate_per_second: { label: words.rate, description: words.rateHint, inputMode: 'numeric' },
  max_per_page: { label: words.pages, description: words.pagesHint, inputMode: 'numeric' },
} as const;

/** Changes the rate and the page size of a discovery key. */
export function DiscoveryKeyRightsForm({ of: key, onClose }: Readonly<{ of: DiscoveryKey; onClose: () => void }>) {
  const client = useQueryClient();
  const [typed, setTyped] = useState({
    rate_per_second: key.rate_per_second === null ? '' : String(key.rate_per_second),
    max_per_page: String(key.max_per_page),
  });
  const [wrong, setWrong] = useState<Partial<typeof typed>>({});
  const save = useMutationOnce({
    mutationFn: () => {
      const rate = typed.rate_per_second.trim();
      const body = {
        rate_per_second: rate === '' ? null : Number(rate),
        max_per_page: Number(typed.max_per_page),
      };
      return ask('PATCH discovery-keys/{client_id}', { path: { client_id: key.client_id }, body });
    },
    onSuccess: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ['discovery-keys'] });
    },
  });
  const submit = () => {
    const found = wrongRights(typed);
    setWrong(found);
    if (Object.keys(found).length === 0) save.mutate();
  };
  const errors = { ...fieldErrors(save.error, FIELDS), ...wrong };
  return (
    <DialogForm
      title={words.changeOf(key.name)}
      submit={words.save}
      cancel={settingsWords.cancel}
      error={Object.keys(errors).length === 0 ? save.error : null}
      typed={typed}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextFields fields={FIELDS} texts={TEXTS} typed={typed} errors={errors} onType={setTyped} />
    </DialogForm>
  );
}
