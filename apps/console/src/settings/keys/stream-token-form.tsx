import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/field-errors.js';
import { ask } from '../../api/http.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { keyWords } from './key-words.js';
import { settingsWords } from '../settings-words.js';
import { IssuedSecret } from '../issued-secret.js';
import { endOf, type TokenTerm, TokenTermSelect } from '../token-term.js';

const words = keyWords.stream;

type Props = Readonly<{ usualDays: number | undefined; onClose: () => void }>;

export function StreamTokenForm({ usualDays, onClose }: Props) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [term, setTerm] = useState<TokenTerm>(undefined);
  const [isMissing, setMissing] = useState(false);
  const create = useMutationOnce({
    mutationFn: () => ask('POST stream-tokens', { body: { name: name.trim(), ...endOf(term) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['stream-tokens'] }),
    gcTime: 0,
  });
  const submit = () => {
    setMissing(name.trim() === '');
    if (name.trim() !== '') create.mutate();
  };
  if (create.data) {
    return (
      <IssuedSecret title={words.add} onClose={onClose} values={[{ name: words.token, value: create.data.token }]}>
        {words.once}
      </IssuedSecret>
    );
  }
  const { name: wrongName } = fieldErrors(create.error, ['name']);
  return (
    <DialogForm
      title={words.add}
      submit={words.create}
      cancel={settingsWords.cancel}
      error={wrongName === undefined ? create.error : null}
      typed={{ name, term }}
      isPending={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        description={words.nameHint}
        autoComplete="off"
        value={name}
        error={isMissing ? words.missing : wrongName}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
      />
      <TokenTermSelect usualDays={usualDays} term={term} onChange={setTerm} />
    </DialogForm>
  );
}
