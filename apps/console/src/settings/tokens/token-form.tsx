import { TextInput } from '@mantine/core';
import { useQueryClient, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/field-errors.js';
import { ask } from '../../api/http.js';
import { sessionQuery } from '../../api/session.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { settingsWords } from '../settings-words.js';
import { tokenWords as words } from './token-words.js';
import { Choices } from '../../frame/choices.js';
import { IssuedSecret } from '../issued-secret.js';
import { rolesQuery } from '../roles-query.js';
import { sellersIn } from '../sellers-in.js';
import { endOf, type TokenTerm, TokenTermSelect } from '../token-term.js';

const FIELDS = ['name', 'scopes', 'sellers'] as const;

type Props = Readonly<{ usualDays: number | undefined; onClose: () => void }>;

export function TokenForm({ usualDays, onClose }: Props) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(['orders:read']);
  const [typedSellers, setSellers] = useState('');
  const sellers = sellersIn(typedSellers);
  const offered = session?.permissions ?? [];
  // A token that is limited to sellers may do what brokers may.
  const brokers = useQuery(rolesQuery).data?.roles.find(({ name: role }) => role === 'broker')?.permissions;
  const scopes = sellers ? offered.filter((scope) => brokers?.includes(scope) ?? true) : offered;
  const wanted = scopes.filter((scope) => chosen.includes(scope));
  const [term, setTerm] = useState<TokenTerm>(undefined);
  const [wrong, setWrong] = useState<Partial<Record<(typeof FIELDS)[number], string>>>({});
  const create = useMutationOnce({
    mutationFn: () => {
      const body = { name: name.trim(), scopes: wanted, sellers, ...endOf(term) };
      return ask('POST tokens', { body });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
    gcTime: 0,
  });
  const submit = () => {
    const found = {
      ...(name.trim() === '' && { name: words.missing.name }),
      ...(wanted.length === 0 && { scopes: words.missing.scopes }),
    };
    setWrong(found);
    if (Object.keys(found).length === 0) create.mutate();
  };
  if (create.data) {
    return (
      <IssuedSecret title={words.add} onClose={onClose} values={[{ name: words.token, value: create.data.token }]}>
        {words.once}
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
      typed={{ name, chosen, typedSellers, term }}
      isPending={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        autoComplete="off"
        value={name}
        error={errors.name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
      />
      <Choices
        legend={words.scopes}
        options={scopes}
        nameOf={(scope) => scope}
        chosen={wanted}
        error={errors.scopes}
        onChange={setChosen}
      />
      <TextInput
        label={words.sellers}
        description={words.sellersHint}
        autoComplete="off"
        value={typedSellers}
        error={errors.sellers}
        onChange={({ currentTarget }) => setSellers(currentTarget.value)}
      />
      <TokenTermSelect usualDays={usualDays} term={term} onChange={setTerm} />
    </DialogForm>
  );
}
