import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DiscoveryKey } from '#accounts/discovery-key.contract';
import { ask } from '../../api/http.js';
import { CopyButton } from '../../frame/copy-button.js';
import { DataTable } from '../../frame/data-table.js';
import { NamedText } from '../../frame/named-text.js';
import { Section } from '../../frame/section.js';
import { ShortId } from '../../frame/short-id.js';
import { Time } from '../../frame/time.js';
import { number } from '../../words/formats.js';
import { keyWords } from './key-words.js';
import { EndingDialog } from '../ending-dialog.js';
import { DiscoveryKeyForm } from './discovery-key-form.js';
import { DiscoveryKeyRightsForm } from './discovery-key-rights-form.js';
import { DiscoveryKeyUsage } from './discovery-key-usage.js';
import { SecretDialog } from '../secret-dialog.js';

const words = keyWords.discovery;
type Dialog = Readonly<{ is: 'new' }> | Readonly<{ is: 'change' | 'rotate' | 'revoke'; of: DiscoveryKey }>;

const pathOf = ({ client_id }: DiscoveryKey) => ({ path: { client_id } });

export function DiscoveryKeys() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['discovery-keys'],
    queryFn: ({ signal }) => ask('GET discovery-keys', { signal }),
  });
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  return (
    <Section
      title={words.title}
      hint={words.hint}
      action={
        <Button variant="default" onClick={() => setDialog({ is: 'new' })}>
          {words.add}
        </Button>
      }
    >
      <DataTable
        label={words.title}
        rows={data?.keys ?? []}
        keyOf={({ client_id }) => client_id}
        empty={words.empty}
        query={{ error, isPending, refetch }}
        columns={[
          { id: 'name', name: words.name, cell: ({ name }) => <strong>{name}</strong> },
          { id: 'id', name: words.id, cell: (key) => <KeyId of={key} /> },
          {
            id: 'rate',
            name: words.rate,
            cell: ({ rate_per_second: rate }) =>
              rate === null ? <span className="soft">{words.usualRate}</span> : number(rate),
          },
          { id: 'pages', name: words.pages, cell: ({ max_per_page: pages }) => number(pages) },
          { id: 'usage', name: words.usage, cell: ({ usage }) => <DiscoveryKeyUsage usage={usage} /> },
          { id: 'created', name: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
          { id: 'acts', name: '', end: true, cell: (key) => <Acts of={key} open={setDialog} /> },
        ]}
      />
      {dialog?.is === 'new' && <DiscoveryKeyForm onClose={close} />}
      {dialog?.is === 'change' && <DiscoveryKeyRightsForm of={dialog.of} onClose={close} />}
      {dialog?.is === 'rotate' && (
        <SecretDialog
          title={words.rotateOf(dialog.of.name)}
          apply={words.rotate}
          question={words.rotateAsk(dialog.of.name)}
          once={words.once}
          make={() => ask('POST discovery-keys/{client_id}/rotate', pathOf(dialog.of))}
          listKey="discovery-keys"
          values={({ client_id, client_secret = '' }) => [
            { name: words.id, value: client_id },
            { name: words.secret, value: client_secret },
          ]}
          onClose={close}
        />
      )}
      {dialog?.is === 'revoke' && (
        <EndingDialog
          title={words.revokeOf(dialog.of.name)}
          apply={words.revoke}
          question={words.revokeAsk(dialog.of.name)}
          end={() => ask('DELETE discovery-keys/{client_id}', pathOf(dialog.of))}
          listKey="discovery-keys"
          onClose={close}
        />
      )}
    </Section>
  );
}

function KeyId({ of: { client_id: id, previous_secret_until: until } }: Readonly<{ of: DiscoveryKey }>) {
  return (
    <>
      <span className="row nowrap">
        <ShortId id={id} />
        <CopyButton text={id} what={`${words.id} ${id}`} />
      </span>
      {until !== null && (
        <span className="soft small nowrap">
          {words.previousUntil} <Time at={until} />
        </span>
      )}
    </>
  );
}

function Acts({ of: key, open }: Readonly<{ of: DiscoveryKey; open: (dialog: Dialog) => void }>) {
  if (key.revoked_at !== null) {
    return (
      <span className="soft">
        {words.revoked} <Time at={key.revoked_at} />
      </span>
    );
  }
  const button = (is: 'change' | 'rotate' | 'revoke', text: string, name: string) => (
    <Button variant="default" size="compact-xs" onClick={() => open({ is, of: key })}>
      <NamedText text={text} name={name} />
    </Button>
  );
  return (
    <span className="row end">
      {button('change', words.change, words.changeOf(key.name))}
      {key.has_secret && button('rotate', words.rotate, words.rotateOf(key.name))}
      {button('revoke', words.revoke, words.revokeOf(key.name))}
    </span>
  );
}
