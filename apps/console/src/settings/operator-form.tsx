import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AddedOperator, Operator } from '#contracts/backoffice/operator';
import { ask } from '../api/http.js';
import { CopyButton } from '../frame/copy-button.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { settingsWords } from '../words/settings.js';
import { Choices } from './choices.js';

const words = settingsWords.operators;
const ROLES = Object.keys(words.role);

/** Adds an operator, who gets a link to choose a password, or changes one. */
export function OperatorForm({ operator, onClose }: Readonly<{ operator: Operator | null; onClose: () => void }>) {
  const client = useQueryClient();
  const [name, setName] = useState(operator?.name ?? '');
  const [email, setEmail] = useState(operator?.email ?? '');
  const [roles, setRoles] = useState<readonly string[]>(operator?.roles ?? ['support']);
  const [sellers, setSellers] = useState(operator?.sellers?.join(', ') ?? '');
  const [missing, setMissing] = useState('');
  const save = useMutation({
    mutationFn: () => {
      const named = sellers.split(',').map((seller) => seller.trim());
      const own = named.filter((seller) => seller !== '');
      const body = { name: name.trim(), email: email.trim(), roles, sellers: own.length > 0 ? own : null };
      return operator
        ? ask<AddedOperator>(`operators/${operator.id}`, { method: 'PATCH', body })
        : ask<AddedOperator>('operators', { method: 'POST', body });
    },
    onSuccess: async ({ invite_url }) => {
      await client.invalidateQueries({ queryKey: ['operators'] });
      if (invite_url === undefined) onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isMissing = name.trim() === '' || email.trim() === '' || roles.length === 0;
    setMissing(isMissing ? words.missing : '');
    if (!isMissing) save.mutate();
  };
  const invitation = save.data?.invite_url;
  return (
    <Modal opened onClose={onClose} title={operator ? words.edit(operator.name) : words.add}>
      {invitation === undefined ? (
        <form className="stack" onSubmit={submit} noValidate>
          <TextInput
            label={words.name}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label={words.email}
            type="email"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <Choices
            legend={words.roles}
            options={ROLES}
            nameOf={(role) => words.role[role] ?? role}
            chosen={roles}
            onChange={setRoles}
          />
          {roles.includes('broker') && (
            <TextInput
              label={words.sellers}
              description={words.sellersHint}
              value={sellers}
              onChange={({ currentTarget }) => setSellers(currentTarget.value)}
            />
          )}
          {missing !== '' && (
            <div className="alert" role="alert">
              {missing}
            </div>
          )}
          {save.error && <Failure error={save.error} />}
          <FormButtons
            cancel={settingsWords.cancel}
            submit={words.save}
            isPending={save.isPending}
            onCancel={onClose}
          />
        </form>
      ) : (
        <div className="stack">
          <p role="status">{words.invited}</p>
          <p className="secret mono">
            <span className="grow">{invitation}</span>
            <CopyButton text={invitation} what={words.email} />
          </p>
          <Button onClick={onClose}>{settingsWords.close}</Button>
        </div>
      )}
    </Modal>
  );
}
