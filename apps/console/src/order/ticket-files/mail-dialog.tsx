import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderMail } from '#contracts/backoffice/mail';
import { mailPreviewQuery, sendMail } from '../../api/mails.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { useHiddenBackground } from '../../frame/use-hidden-background.js';
import { mailWords as words } from '../../words/mails.js';

type Props = Readonly<{ orderId: string; onClose: () => void; onDone: () => void }>;
const KINDS = Object.entries(words.kind).map(([value, label]) => ({ value, label }));

/** Shows what the buyer would read, and sends it. */
export function MailDialog({ orderId, onClose, onDone }: Props) {
  useHiddenBackground();
  const client = useQueryClient();
  const [kind, setKind] = useState<OrderMail['kind']>('confirmation');
  const { data: preview, error } = useQuery(mailPreviewQuery(orderId, kind));
  const send = useMutation({
    mutationFn: () => sendMail(orderId, kind),
    onSuccess: () => {
      onDone();
      return client.invalidateQueries({ queryKey: ['order', orderId] });
    },
  });
  return (
    <DialogForm
      title={words.send}
      submit={words.apply}
      cancel={words.cancel}
      error={send.error ?? error}
      isPending={send.isPending}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <NativeSelect
        label={words.what}
        value={kind}
        data={KINDS}
        onChange={({ currentTarget }) => setKind(currentTarget.value as OrderMail['kind'])}
        data-autofocus
      />
      {preview && !error && (
        <section aria-label={words.preview} className="stack">
          <p className="small">
            <span className="soft">{words.to}</span> {preview.to}
            <br />
            <span className="soft">{words.subject}</span> {preview.subject}
          </p>
          <pre className="mail-text" role="group" aria-label={words.text} tabIndex={0}>
            {preview.text}
          </pre>
          <p className="soft small">{words.previewHint}</p>
        </section>
      )}
    </DialogForm>
  );
}
