import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AddedOperator, Operator } from '#accounts/operator.contract';
import type { Role } from '#accounts/permission.contract';
import { fieldErrors } from '../../api/field-errors.js';
import { ask } from '../../api/http.js';
import { keysOf } from '../../api/keys-of.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { TextFields } from '../../frame/text-fields.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { settingsWords } from '../settings-words.js';
import { operatorWords as words } from './operator-words.js';
import { Choices } from '../../frame/choices.js';
import { IssuedSecret } from '../issued-secret.js';
import { sellersIn } from '../sellers-in.js';

const TEXTS = { name: { label: words.name }, email: { label: words.email, inputMode: 'email' } } as const;
const FIELDS = ['name', 'email', 'roles', 'sellers'] as const;
const ROLES = keysOf(words.role);

/** Adds an operator, who gets a link to choose a password, or changes one. */
export function OperatorForm({ operator, onClose }: Readonly<{ operator: Operator | null; onClose: () => void }>) {
  const client = useQueryClient();
  const [typed, setTyped] = useState({ name: operator?.name ?? '', email: operator?.email ?? '' });
  const [name, email] = [typed.name.trim(), typed.email.trim()];
  const [roles, setRoles] = useState<readonly Role[]>(operator?.roles ?? ['support']);
  const [sellers, setSellers] = useState(operator?.sellers?.join(', ') ?? '');
  const [wrong, setWrong] = useState<Partial<Record<(typeof FIELDS)[number], string>>>({});
  const save = useMutationOnce({
    mutationFn: (): Promise<AddedOperator> => {
      const body = { name, email, roles, sellers: sellersIn(sellers) };
      return operator
        ? ask('PATCH operators/{id}', { path: { id: operator.id }, body })
        : ask('POST operators', { body });
    },
    onSuccess: async ({ invite_url }) => {
      await client.invalidateQueries({ queryKey: ['operators'] });
      if (invite_url === undefined) onClose();
    },
  });
  const submit = () => {
    const found = {
      ...(name === '' && { name: words.missing.name }),
      ...(email === '' && { email: words.missing.email }),
      ...(roles.length === 0 && { roles: words.missing.roles }),
    };
    setWrong(found);
    if (Object.keys(found).length === 0) save.mutate();
  };
  const title = operator ? words.edit(operator.name) : words.add;
  const invitation = save.data?.invite_url;
  if (invitation !== undefined) {
    return (
      <IssuedSecret
        title={title}
        onClose={onClose}
        close={settingsWords.close}
        values={[{ name: words.invitation, value: invitation }]}
      >
        {words.invited}
      </IssuedSecret>
    );
  }
  const errors = { ...fieldErrors(save.error, FIELDS), ...wrong };
  return (
    <DialogForm
      title={title}
      submit={words.save}
      cancel={settingsWords.cancel}
      error={Object.keys(errors).length === 0 ? save.error : null}
      typed={{ typed, roles, sellers }}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextFields texts={TEXTS} fields={['name', 'email']} typed={typed} errors={errors} onType={setTyped} />
      <Choices
        legend={words.roles}
        options={ROLES}
        nameOf={(role) => words.role[role] ?? role}
        chosen={roles}
        error={errors.roles}
        onChange={setRoles}
      />
      {roles.includes('broker') && (
        <TextInput
          label={words.sellers}
          description={words.sellersHint}
          value={sellers}
          error={errors.sellers}
          onChange={({ currentTarget }) => setSellers(currentTarget.value)}
        />
      )}
    </DialogForm>
  );
}
