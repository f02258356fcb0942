import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedClientSecret, PlatformClient } from '#accounts/platform-client.contract';
import { ask } from '../../api/http.js';
import { CopyButton } from '../../frame/copy-button.js';
import { DataTable } from '../../frame/data-table.js';
import { NamedText } from '../../frame/named-text.js';
import { PageHead } from '../../frame/page-head.js';
import { ShortId } from '../../frame/short-id.js';
import { Time } from '../../frame/time.js';
import { clientWords as words } from './client-words.js';
import { exactTime } from '../../words/formats.js';
import { ClientChangeForm } from './client-change-form.js';
import { ClientForm } from './client-form.js';
import { EndingDialog } from '../ending-dialog.js';
import { SecretDialog } from '../secret-dialog.js';

type Secret = PlatformClient['secrets'][number];
type Dialog =
  | Readonly<{ is: 'new' }>
  | Readonly<{ is: 'edit' | 'rotate' | 'revoke' | 'restore'; of: PlatformClient }>
  | Readonly<{ is: 'end'; of: PlatformClient; secret: Secret }>;

const live = ({ secrets }: PlatformClient) => secrets.filter(({ revoked_at }) => revoked_at === null);
export function ClientsPage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['clients'],
    queryFn: ({ signal }) => ask('GET clients', { signal }),
  });
  const [dialog, setDialog] = useState<Dialog | null>(null);
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        <Button onClick={() => setDialog({ is: 'new' })}>{words.add}</Button>
      </PageHead>
      <DataTable
        label={words.title}
        rows={data?.clients ?? []}
        keyOf={({ client_id }) => client_id}
        empty={words.empty}
        query={{ error, isPending, refetch }}
        columns={[
          { id: 'name', name: words.name, cell: (client) => <NameAndId client={client} /> },
          { id: 'variant', name: words.variant, cell: (client) => <Variant client={client} /> },
          { id: 'state', name: words.state, cell: (client) => <State client={client} /> },
          { id: 'secrets', name: words.secrets, cell: (client) => <Secrets client={client} open={setDialog} /> },
          { id: 'created', name: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
          { id: 'acts', name: '', end: true, cell: (client) => <Acts client={client} open={setDialog} /> },
        ]}
      />
      {dialog && <ClientDialog dialog={dialog} onClose={() => setDialog(null)} />}
    </div>
  );
}

function NameAndId({ client: { name, client_id: id } }: Readonly<{ client: PlatformClient }>) {
  return (
    <span className="two-lines">
      <strong>{name}</strong>
      <span className="row nowrap">
        <ShortId id={id} />
        <CopyButton text={id} what={`${words.id} ${id}`} />
      </span>
    </span>
  );
}

function State({ client }: Readonly<{ client: PlatformClient }>) {
  const isRotating = live(client).length > 1;
  const [tone, text] =
    client.revoked_at !== null
      ? ['none', words.revoked]
      : isRotating
        ? ['pending', words.rotating]
        : ['confirmed', words.active];
  return (
    <span className={`status ${tone}`}>
      <span>{text}</span>
    </span>
  );
}

function Variant({ client: { variant, require_ref_id } }: Readonly<{ client: PlatformClient }>) {
  if (!require_ref_id) return words.variantShort[variant];
  return (
    <span className="two-lines">
      <span>{words.variantShort[variant]}</span>
      <span className="soft small nowrap">{words.requiresRefId}</span>
    </span>
  );
}

type Opens = Readonly<{ client: PlatformClient; open: (dialog: Dialog) => void }>;

function Secrets({ client, open }: Opens) {
  if (client.revoked_at !== null) return null;
  const secrets = live(client);
  if (secrets.length === 0) return <span className="soft">{words.noSecret}</span>;
  return (
    <ul className="lines">
      {secrets.map((secret) => (
        <li key={secret.id} className="row nowrap">
          <ShortId id={secret.id} />
          <span className="soft">
            <Time at={secret.created_at} />
          </span>
          {secrets.length > 1 && (
            <button
              type="button"
              className="link-button"
              aria-label={words.endOf(secret.id)}
              onClick={() => open({ is: 'end', of: client, secret })}
            >
              {words.end}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Acts({ client, open }: Opens) {
  const { name } = client;
  const button = (is: 'edit' | 'rotate' | 'revoke' | 'restore', text: string, full: string) => (
    <Button variant="default" size="compact-xs" onClick={() => open({ is, of: client })}>
      <NamedText text={text} name={full} />
    </Button>
  );
  if (client.revoked_at !== null) return button('restore', words.restore, words.restoreOf(name));
  return (
    <span className="row end">
      {button('edit', words.edit, words.editOf(name))}
      {live(client).length < 2 && button('rotate', words.rotate, words.rotateOf(name))}
      {button('revoke', words.revoke, words.revokeOf(name))}
    </span>
  );
}

function ClientDialog({ dialog, onClose }: Readonly<{ dialog: Dialog; onClose: () => void }>) {
  if (dialog.is === 'new') return <ClientForm onClose={onClose} />;
  const { of: client } = dialog;
  if (dialog.is === 'edit') return <ClientChangeForm client={client} onClose={onClose} />;
  const { name, client_id } = client;
  const path = { client_id };
  const usual = { listKey: 'clients', onClose };
  const secretOf = (answer: IssuedClientSecret) => [
    { name: words.id, value: answer.client_id },
    { name: words.secret, value: answer.secret },
  ];
  switch (dialog.is) {
    case 'rotate':
    case 'restore': {
      const { is } = dialog;
      return (
        <SecretDialog
          {...usual}
          title={dialog.is === 'rotate' ? words.rotateOf(name) : words.restoreOf(name)}
          apply={dialog.is === 'rotate' ? words.rotate : words.restore}
          question={dialog.is === 'rotate' ? words.rotateAsk(name) : words.restoreAsk(name)}
          once={words.once}
          make={() => ask(`POST clients/{client_id}/${is}`, { path })}
          values={secretOf}
        />
      );
    }
    case 'revoke':
      return (
        <EndingDialog
          {...usual}
          title={words.revokeOf(name)}
          apply={words.revoke}
          question={words.revokeAsk(name)}
          end={() => ask('DELETE clients/{client_id}', { path })}
        />
      );
    case 'end':
      return (
        <EndingDialog
          {...usual}
          title={words.endOf(dialog.secret.id)}
          apply={words.end}
          question={words.endAsk(name, exactTime(dialog.secret.created_at))}
          end={() =>
            ask('DELETE clients/{client_id}/secrets/{secret_id}', { path: { ...path, secret_id: dialog.secret.id } })
          }
        />
      );
  }
}
