import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Operator } from '#contracts/backoffice/operator';
import { fieldErrors } from '../api/field-errors.js';
import { ask } from '../api/http.js';
import { sessionQuery } from '../api/session.js';
import { Failure } from '../frame/failure.js';
import { Section } from '../frame/section.js';
import { accountWords } from '../words/account.js';

const words = accountWords.name;

export function NameForm({ operator }: Readonly<{ operator: Operator }>) {
  const client = useQueryClient();
  const [name, setName] = useState(operator.name);
  const [missing, setMissing] = useState(false);
  const save = useMutation({
    mutationFn: () => ask(`operators/${operator.id}`, { method: 'PATCH', body: { name: name.trim() } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === '');
    if (name.trim() !== '') save.mutate();
  };
  const { name: wrong } = fieldErrors(save.error, ['name']);
  return (
    <Section title={words.title} hint={words.hint}>
      <form className="stack" onSubmit={submit} noValidate>
        <TextInput
          label={words.label}
          autoComplete="name"
          value={name}
          error={missing ? words.missing : wrong}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {save.error && wrong === undefined && <Failure error={save.error} />}
        <div className="row">
          <Button type="submit" variant="default" loading={save.isPending}>
            {words.save}
          </Button>
          <span role="status" className="small soft">
            {save.isSuccess ? words.saved : ''}
          </span>
        </div>
      </form>
    </Section>
  );
}
